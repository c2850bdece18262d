import { type CustomQuestion, MAX_QUESTIONS } from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { z } from 'zod'
import { AreaField } from '#ui/form/fields.tsx'
import { useField } from '#ui/form/form-state.ts'
import { listOf } from './campaign-draft.ts'
import styles from './campaigns.module.css'

// Looser than the contract: a question may be empty while it is being typed.
const Questions = z.array(
  z.object({
    question: z.string(),
    type: z.string().default('SHORT_ANSWER'),
    options: z.array(z.string()).default([]),
  }),
)
const example =
  '[{ "question": "When works best for you?", "type": "MULTIPLE_CHOICE", "options": ["Mornings", "Evenings"] }]'

/** Parses the JSON text; undefined if it is not a list of questions. */
function readQuestions(text: string): CustomQuestion[] | undefined {
  if (text.trim() === '') return []
  try {
    const read = Questions.safeParse(JSON.parse(text))
    return read.success ? read.data : undefined
  } catch {
    return undefined
  }
}

interface AnswersProps {
  options: readonly string[]
  onChange: (options: string[]) => void
}

/** Comma-separated answers. Keeps the text as typed until the list changes elsewhere. */
function Answers({ options, onChange }: AnswersProps) {
  const [text, setText] = useState('')
  const isTyped = listOf(text).join() === options.join()
  return (
    <TextInput
      label="Answer options"
      placeholder="Mornings, Evenings"
      value={isTyped ? text : options.join(', ')}
      onChange={(event) => {
        setText(event.currentTarget.value)
        onChange(listOf(event.currentTarget.value))
      }}
    />
  )
}

/** Custom questions as JSON, with rows next to it that edit the same JSON. */
export function QuestionsField({ isLocked }: { isLocked: boolean }) {
  const { value: text, set } = useField('questions', 'Custom questions', '')
  const questions = readQuestions(text)
  const write = (next: readonly unknown[]) => set(next.length === 0 ? undefined : JSON.stringify(next, null, 2))
  const change = (place: number, over: Partial<CustomQuestion>) =>
    write((questions ?? []).map((one, at) => (at === place ? { ...one, ...over } : one)))
  return (
    <fieldset className={styles.group} disabled={isLocked}>
      <legend>Custom questions</legend>
      <div className={styles.questions}>
        <AreaField label="As JSON" name="questions" rows={6} placeholder={example} isOptional />
        <div>
          {questions === undefined && (
            <p className={styles.summary}>Enter a valid JSON list to edit the questions here.</p>
          )}
          {questions?.map(({ question, options }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: questions have no id
            <div key={place} className={styles.group}>
              <TextInput
                label={`Question ${place + 1}`}
                placeholder="When works best for you?"
                value={question}
                maxLength={200}
                onChange={(event) => change(place, { question: event.currentTarget.value })}
              />
              <div className={styles.row}>
                <Answers
                  options={options}
                  onChange={(chosen) =>
                    change(place, { options: chosen, type: chosen.length > 0 ? 'MULTIPLE_CHOICE' : 'SHORT_ANSWER' })
                  }
                />
                <Button
                  variant="default"
                  aria-label={`Remove question ${place + 1}`}
                  onClick={() => write(questions.filter((_, at) => at !== place))}
                >
                  Remove
                </Button>
              </div>
            </div>
          ))}
          {questions && questions.length < MAX_QUESTIONS && (
            <div>
              <Button
                size="xs"
                variant="default"
                onClick={() => write([...questions, { question: '', type: 'SHORT_ANSWER', options: [] }])}
              >
                Add question
              </Button>
            </div>
          )}
        </div>
      </div>
    </fieldset>
  )
}
