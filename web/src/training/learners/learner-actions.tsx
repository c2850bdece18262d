import type { Course } from '@limber/contract/training/courses/course.ts'
import type { Enrolment } from '@limber/contract/training/learners/enrolment.ts'
import { Button } from '@mantine/core'
import { confirm } from '#ui/dialog/confirm.ts'
import { useNotices } from '../notices.tsx'
import { useWithdraw } from './learner.api.ts'

/** What can be done for one learner. */
export function LearnerActions({ course: { course_key, title }, learner }: { course: Course; learner: Enrolment }) {
  const { user_id, name } = learner
  const withdraw = useWithdraw()
  const { succeed, fail } = useNotices()
  const askAndWithdraw = async () => {
    const question = {
      title: `Withdraw ${name}?`,
      body: `Progress and quiz attempts of ${name} in “${title}” are deleted with it. This cannot be undone.`,
      action: 'Withdraw',
      isDestructive: true,
    }
    if (!(await confirm(question))) return
    // The list may be read again before the reply is here, and the row be gone: the promise outlives it.
    await withdraw.mutateAsync({ course_key, user_id }).then(() => succeed(`${name} is withdrawn`), fail)
  }
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={`Withdraw ${name}`}
      loading={withdraw.isPending}
      onClick={() => void askAndWithdraw()}
    >
      Withdraw
    </Button>
  )
}
