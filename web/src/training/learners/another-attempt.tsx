import { Button } from '@mantine/core'
import { useNotices } from '../notices.tsx'
import { useGrantAttempt } from './learner.api.ts'

interface Props {
  learner: { user_id: number; name: string }
  quiz: { lesson_id: number; component: number | null }
  /** The name of the quiz, if a learner can have several in one list. */
  at?: string
  size: 'xs' | 'compact-xs'
}

/** Grants another attempt to a learner who has none left on a quiz. */
export function AnotherAttempt({ learner: { user_id, name }, quiz: { lesson_id, component }, at, size }: Props) {
  const grant = useGrantAttempt()
  const { succeed, fail } = useNotices()
  // A granted attempt removes this button from the list; the promise still reports the result.
  const give = () =>
    grant.mutateAsync({ lesson_id, user_id, component }).then(() => succeed(`${name} has another attempt`), fail)
  return (
    <Button
      variant="default"
      size={size}
      aria-label={`Grant ${name} another attempt${at === undefined ? '' : ` at ${at}`}`}
      loading={grant.isPending}
      onClick={() => void give()}
    >
      Grant attempt
    </Button>
  )
}
