import type { Course } from '@limber/contract/training/courses/course.ts'
import type { Enrollment } from '@limber/contract/training/learners/enrollment.ts'
import { Button } from '@mantine/core'
import { confirm } from '#ui/dialog/confirm.ts'
import { useNotices } from '../notices.tsx'
import { useWithdraw } from './learner.api.ts'

/** The actions for one learner. */
export function LearnerActions({ course: { course_key, title }, learner }: { course: Course; learner: Enrollment }) {
  const { user_id, name } = learner
  const withdraw = useWithdraw()
  const { succeed, fail } = useNotices()
  const askAndWithdraw = async () => {
    const question = {
      title: `Withdraw ${name}?`,
      body: `This deletes the progress and quiz attempts of ${name} in “${title}”. This cannot be undone.`,
      action: 'Withdraw',
      isDestructive: true,
    }
    if (!(await confirm(question))) return
    // A reload may remove the row before the reply arrives; the promise still reports the result.
    await withdraw.mutateAsync({ course_key, user_id }).then(() => succeed(`${name} was withdrawn`), fail)
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
