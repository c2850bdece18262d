import { isMissingAnswer, isScorable, type Question } from '@limber/contract/training/lessons/question.ts'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Banner } from '#ui/feedback/banner.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './quiz.module.css'

/** A mark for choice questions without a correct answer. */
export function AnswerMark({ question, children }: { question: Question; children: string }) {
  if (!isMissingAnswer(question)) return null
  return (
    <span className={styles.unanswered}>
      <Icon of={IconAlertTriangle} size={14} />
      {children}
    </span>
  )
}

/** A warning for a quiz that has questions but cannot be passed yet. */
export function ScoringNote({ questions }: { questions: readonly Question[] }) {
  if (questions.length === 0 || isScorable(questions)) return null
  return (
    <Banner kind="amber">Nothing to score: no question has a correct answer. Learners cannot take this quiz.</Banner>
  )
}
