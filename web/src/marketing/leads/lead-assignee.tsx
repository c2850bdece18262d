import type { LeadDetail } from '@limber/contract/marketing/leads/lead.ts'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { leadWorkersQuery, useAssign } from './lead.api.ts'
import { nameOf } from './lead-labels.ts'

export function LeadAssignee({ lead }: { lead: LeadDetail }) {
  const workers = useQuery(leadWorkersQuery).data ?? []
  const assign = useAssign(lead.id)
  const { assignee } = lead
  const isKnown = !assignee || workers.some(({ id }) => id === assignee.id)
  const data = [
    { value: '', label: 'Unassigned' },
    ...(isKnown ? [] : [{ value: String(assignee.id), label: assignee.name }]),
    ...workers.map(({ id, name }) => ({ value: String(id), label: name })),
  ]
  const shown = assign.isPending ? assign.variables.workerId : (assignee?.id ?? null)
  return (
    <NativeSelect
      aria-label="Assigned to"
      size="xs"
      data={data}
      value={shown === null ? '' : String(shown)}
      disabled={assign.isPending}
      onChange={(event) => {
        const workerId = event.currentTarget.value === '' ? null : Number(event.currentTarget.value)
        void assign.mutateAsync({ workerId, version: lead.version }).then(
          (saved) =>
            toastUndo(
              `${nameOf(saved)} ${saved.assignee ? `assigned to ${saved.assignee.name}` : 'unassigned'}.`,
              saved,
            ),
          (error: unknown) => toastFailure("Couldn't assign the lead", error),
        )
      }}
    />
  )
}
