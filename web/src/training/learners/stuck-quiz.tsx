import type { Enrolment } from '@limber/contract/training/enrolment.ts'
import { Button } from '@mantine/core'
import { useNotices } from '../notices.tsx'
import { useGrantAttempt } from './learner.api.ts'
import styles from './learners.module.css'

interface Props {
  learner: Enrolment
  quiz: Enrolment['stuck'][number]
}

/** A quiz that a learner has no attempts left for, and the help that can be given. */
export function StuckQuiz({ learner: { user_id, name }, quiz: { lesson_id, lesson_title, component } }: Props) {
  const grant = useGrantAttempt()
  const { succeed, fail } = useNotices()
  const title = component === null ? lesson_title : `${lesson_title}, part ${component + 1}`
  // Whoever has another attempt is stuck no more, and this is gone: the promise outlives it.
  const give = () =>
    grant.mutateAsync({ lesson_id, user_id, component }).then(() => succeed(`${name} has another attempt`), fail)
  return (
    <span className={styles.stuck}>
      <span className={styles.meta}>No attempts left: {title}</span>
      <Button
        variant="default"
        size="compact-xs"
        aria-label={`Give ${name} another attempt at ${title}`}
        loading={grant.isPending}
        onClick={() => void give()}
      >
        Another attempt
      </Button>
    </span>
  )
}
