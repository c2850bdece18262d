import type { Enrollment } from '@limber/contract/training/learners/enrollment.ts'
import { AnotherAttempt } from './another-attempt.tsx'
import styles from './learners.module.css'

interface Props {
  learner: Enrollment
  quiz: Enrollment['stuck'][number]
}

/** A quiz with no attempts left, with a button to grant another one. */
export function StuckQuiz({ learner, quiz }: Props) {
  const { lesson_title, component } = quiz
  const title = component === null ? lesson_title : `${lesson_title}, part ${component + 1}`
  return (
    <span className={styles.stuck}>
      <span className={styles.meta}>No attempts left: {title}</span>
      <AnotherAttempt learner={learner} quiz={quiz} at={title} size="compact-xs" />
    </span>
  )
}
