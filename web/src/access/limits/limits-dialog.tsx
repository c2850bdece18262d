import { Limits } from '@limber/contract/access/limits/limits.ts'
import { useQuery } from '@tanstack/react-query'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { NumberField } from '#ui/form/number-field.tsx'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { limitsQuery, useChangeLimits } from '../access.api.ts'

const TITLE = 'Limits'

/** Daily limits above which a worker must confirm with a passkey. */
export default function LimitsDialog({ onClose }: { onClose: () => void }) {
  const query = useQuery(limitsQuery)
  const change = useChangeLimits()
  if (!query.data)
    return (
      <Dialog isOpen onClose={onClose} title={TITLE} size={480}>
        <QueryView query={query} loading={<TextSkeleton lines={3} />} failure="Couldn't load limits">
          {() => null}
        </QueryView>
      </Dialog>
    )
  const mutation = {
    mutateAsync: async (limits: Limits) => {
      toastUndo('Limits saved.', await change.mutateAsync(limits))
    },
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={TITLE}
      context="Above a limit, workers confirm with their passkey. Changing a limit asks for yours."
      submit="Save limits"
      schema={Limits}
      mutation={mutation}
      initial={query.data}
      note={<HistoryButton isInDialog size="xs" record={{ kind: 'limits', id: 'one' }} />}
    >
      <NumberField
        label="Credits per worker per day"
        name="creditsPerDay"
        min={0}
        max={100_000}
        hint="Credits added and removed count together."
      />
    </FormDialog>
  )
}
