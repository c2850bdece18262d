import type { ContentOf } from '@limber/contract/training/lessons/content.ts'
import { type GameData, GameType, gameSchemas } from '@limber/contract/training/lessons/game.ts'
import { NativeSelect, Textarea } from '@mantine/core'
import { useState } from 'react'
import { confirm } from '#ui/dialog/confirm.ts'
import { ProblemLine } from '#ui/feedback/problem-line.tsx'
import { capitalize } from '../labels.ts'
import { CodeEditor } from './code-editor.tsx'
import styles from './editors.module.css'
import { BodyMapFields, CardFields, PairFields, StepFields } from './game-fields.tsx'

type Content = ContentOf<'interactive'>

export const gameNames: Record<GameType, string> = {
  flashcards: 'Flashcards',
  match_pairs: 'Match pairs',
  order_steps: 'Order the steps',
  body_map: 'Body map: mark the muscle',
  custom: 'Custom (JSON)',
}

/** The editor of an interactive lesson: a built-in or custom exercise. */
export default function InteractiveEditor({
  content,
  onChange,
}: {
  content: Content
  onChange: (content: Content) => void
}) {
  const { gameType = 'custom', gameData = {}, instructions = '', difficulty = 'medium' } = content
  const whole = { gameType, gameData, instructions, difficulty } as Content
  const setData = (next: object) => onChange({ ...whole, gameData: next } as Content)
  const changeType = async (next: GameType) => {
    const isFilled = Object.values(gameData).some((value) =>
      Array.isArray(value) ? value.length > 0 : gameType === 'custom',
    )
    const question = {
      title: `Change the exercise to ${gameNames[next]}?`,
      body: 'The content of this exercise will be deleted.',
      action: 'Change exercise',
      isDestructive: true,
    }
    if (isFilled && !(await confirm(question))) return
    onChange({ ...whole, gameType: next, gameData: gameSchemas[next].parse({}) } as Content)
  }
  return (
    <div className={styles.stack}>
      <div className={styles.pair}>
        <NativeSelect
          label="Exercise"
          value={gameType}
          data={GameType.options.map((value) => ({ value, label: gameNames[value] }))}
          onChange={(event) => void changeType(event.currentTarget.value as GameType)}
        />
        <NativeSelect
          label="Difficulty"
          value={difficulty}
          data={['easy', 'medium', 'hard'].map((value) => ({ value, label: capitalize(value) }))}
          onChange={(event) => onChange({ ...whole, difficulty: event.currentTarget.value as Content['difficulty'] })}
        />
      </div>
      <Textarea
        label="Instructions"
        autosize
        minRows={2}
        maxLength={5000}
        value={instructions}
        onChange={(event) => onChange({ ...whole, instructions: event.currentTarget.value })}
      />
      {gameType === 'flashcards' && <CardFields data={gameData as GameData<'flashcards'>} onChange={setData} />}
      {gameType === 'match_pairs' && <PairFields data={gameData as GameData<'match_pairs'>} onChange={setData} />}
      {gameType === 'order_steps' && <StepFields data={gameData as GameData<'order_steps'>} onChange={setData} />}
      {gameType === 'body_map' && <BodyMapFields data={gameData as GameData<'body_map'>} onChange={setData} />}
      {gameType === 'custom' && <CustomGame data={gameData} onChange={setData} />}
    </div>
  )
}

/** Parses JSON into exercise data, or returns the problem and its position. */
export function readGame(text: string): { data: object } | { problem: string; at: number } {
  let read: unknown
  try {
    read = JSON.parse(text || '{}')
  } catch (error) {
    const message = error instanceof Error ? error.message : ''
    const at = Number(/position (\d+)/.exec(message)?.[1] ?? text.length)
    const line = text.slice(0, at).split('\n').length
    return { problem: `This is not valid JSON. Check line ${line}.`, at }
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read))
    return { problem: 'The exercise must be a JSON object: { … }.', at: 0 }
  const checked = gameSchemas.custom.safeParse(read)
  if (checked.success) return { data: read }
  const [issue] = checked.error.issues
  const place = issue?.path.length ? `“${issue.path.join('.')}”` : 'The exercise'
  return { problem: `${place} ${issue?.message ?? 'is not valid'}.`, at: 0 }
}

function CustomGame({ data, onChange }: { data: object; onChange: (data: object) => void }) {
  const [text, setText] = useState(() => JSON.stringify(data, null, 2))
  const read = readGame(text)
  return (
    <>
      <CodeEditor
        label="Exercise data"
        language="json"
        value={text}
        minHeight={200}
        onChange={(next) => {
          setText(next)
          const game = readGame(next)
          if ('data' in game) onChange(game.data)
        }}
        faults={(typed) => {
          const game = readGame(typed)
          if ('data' in game) return []
          const from = Math.min(game.at, Math.max(0, typed.length - 1))
          return [{ from, to: Math.min(typed.length, from + 1), message: game.problem, severity: 'error' }]
        }}
      />
      {'problem' in read && <ProblemLine>{`${read.problem} The last valid version is kept.`}</ProblemLine>}
    </>
  )
}
