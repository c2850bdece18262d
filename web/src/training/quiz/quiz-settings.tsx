import type { ContentOf } from '@limber/contract/training/lessons/content.ts'
import { Checkbox, NumberInput } from '@mantine/core'
import { DefaultNumber } from './default-number.tsx'
import styles from './quiz.module.css'

export type QuizRules = Pick<ContentOf<'quiz'>, 'timeLimit' | 'randomizeQuestions' | 'passingScore' | 'maxAttempts'>

interface Props {
  quiz: QuizRules
  onChange: (rules: QuizRules) => void
}

/** Passing score, attempts, time limit and order. */
export function QuizSettings({ quiz, onChange }: Props) {
  const { timeLimit, randomizeQuestions, passingScore, maxAttempts } = quiz
  const rules = { timeLimit, randomizeQuestions, passingScore, maxAttempts }
  return (
    <div className={styles.settings}>
      <DefaultNumber
        label="Passing score"
        suffix=" %"
        min={0}
        max={100}
        placeholder="70"
        otherwise={70}
        value={passingScore}
        onChange={(next) => onChange({ ...rules, passingScore: next })}
      />
      <DefaultNumber
        label="Max attempts"
        min={1}
        max={1000}
        allowDecimal={false}
        otherwise={3}
        value={maxAttempts}
        onChange={(next) => onChange({ ...rules, maxAttempts: next })}
      />
      <NumberInput
        label="Time limit"
        suffix={timeLimit === 1 ? ' minute' : ' minutes'}
        min={0}
        max={1440}
        placeholder="No limit"
        value={timeLimit ?? ''}
        onChange={(next) => onChange({ ...rules, timeLimit: next === '' ? null : Number(next) })}
      />
      <Checkbox
        className={styles.random ?? ''}
        label="Randomize questions"
        checked={randomizeQuestions}
        onChange={(event) => onChange({ ...rules, randomizeQuestions: event.currentTarget.checked })}
      />
    </div>
  )
}
