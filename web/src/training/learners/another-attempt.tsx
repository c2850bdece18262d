import { Button } from '@mantine/core'
import { useNotices } from '../notices.tsx'
import { useGrantAttempt } from './learner.api.ts'

interface Props {
  learner: { user_id: number; name: string }
  quiz: { lesson_id: number; component: number | null }
  /** The quiz, where one learner may have several side by side. */
  at?: string
  size: 'xs' | 'compact-xs'
}

/** The help for whoever has no attempts left at a quiz. */
export function AnotherAttempt({ learner: { user_id, name }, quiz: { lesson_id, component }, at, size }: Props) {
  const grant = useGrantAttempt()
  const { succeed, fail } = useNotices()
  // Whoever has another attempt is stuck no more, and this is gone: the promise outlives it.
  const give = () =>
    grant.mutateAsync({ lesson_id, user_id, component }).then(() => succeed(`${name} has another attempt`), fail)
  return (
    <Button
      variant="default"
      size={size}
      aria-label={`Give ${name} another attempt${at === undefined ? '' : ` at ${at}`}`}
      loading={grant.isPending}
      onClick={() => void give()}
    >
      Another attempt
    </Button>
  )
}
