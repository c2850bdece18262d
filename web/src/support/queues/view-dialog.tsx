import { createView, type TicketView } from '@limber/contract/support/queues/queue.ts'
import { ticketKindLabels, ticketStatusLabels } from '@limber/contract/support/tickets/ticket.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { confirm } from '#ui/dialog/confirm.ts'
import { DeleteButton } from '#ui/dialog/delete-button.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { CheckField, SwitchField, TextField } from '#ui/form/fields.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { priorityLabels } from '../tickets/priority-labels.ts'
import { ticketWorkersQuery } from '../tickets/ticket.api.ts'
import { tagsQuery, useCreateView, useDeleteView, useUpdateView, type ViewFilter } from './queue.api.ts'
import { queueLabels } from './queue-labels.ts'

/** What a filter selects, in words: `Unassigned, High priority, Refund`. */
function useFilterText({ queue, status, priority, kind, assignee, tag }: ViewFilter): string {
  const { data: workers = [] } = useQuery(ticketWorkersQuery)
  const { data: tags = [] } = useQuery(tagsQuery)
  const whose = (who: string) =>
    who === 'me'
      ? 'Assigned to the viewer'
      : who === 'none'
        ? 'Unassigned'
        : `Assigned to ${workers.find(({ id }) => String(id) === who)?.name ?? 'someone else'}`
  const parts = [
    queue && queueLabels[queue],
    status && ticketStatusLabels[status],
    assignee && whose(assignee),
    priority && `${priorityLabels[priority]} priority`,
    kind && ticketKindLabels[kind],
    tag !== null && `Tag ${tags.find(({ id }) => id === tag)?.name ?? ''}`,
  ].filter((part) => part)
  return parts.length > 0 ? parts.join(', ') : 'All tickets'
}

const shared = <SwitchField name="isShared" label="Share with the team" hint="Everyone who handles tickets sees it." />

/** Saves the filters on the screen as a view. */
export function NewView({ filter, onClose }: { filter: ViewFilter; onClose: () => void }) {
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="New view"
      context={`Keeps the current filters: ${useFilterText(filter)}.`}
      submit="Save view"
      schema={createView.body}
      mutation={useCreateView()}
      initial={{ isShared: false }}
      fixed={filter}
      onDone={() => toast('View saved.')}
    >
      <TextField name="name" label="Name" />
      {shared}
    </FormDialog>
  )
}

interface EditProps {
  view: TicketView
  /** The filters on the screen; undefined when a view cannot keep them. */
  current: ViewFilter | undefined
  onClose: () => void
}

const EditBody = createView.body.pick({ name: true, isShared: true })

/** Renames, shares or deletes an own view, or gives it the filters on the screen. */
export function EditView({ view, current, onClose }: EditProps) {
  const [base] = useState(view)
  const update = useUpdateView(base.id)
  const remove = useDeleteView()
  const { queue, status, priority, kind, assignee, tag } = base
  const own = { queue, status, priority, kind, assignee, tag }
  const text = useFilterText(own)
  const currentText = useFilterText(current ?? own)
  const ask = async () => {
    const question = {
      title: `Delete “${base.name}”?`,
      body: 'Its tickets stay.',
      action: 'Delete',
      isDestructive: true,
    }
    if (!(await confirm(question))) return
    await remove.mutateAsync(base.id).then(
      (reply) => {
        toastUndo(`“${base.name}” deleted.`, reply)
        onClose()
      },
      (error: unknown) => toastFailure(`Couldn't delete “${base.name}”`, error),
    )
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Edit view"
      context={`Filters: ${text}.`}
      submit="Save"
      schema={EditBody.extend({ isFilterNew: EditBody.shape.isShared })}
      mutation={{
        mutateAsync: ({ isFilterNew: isNew, ...typed }) =>
          update.mutateAsync({ ...typed, ...((isNew && current) || own), version: base.version }),
      }}
      initial={{ name: base.name, isShared: base.isShared, isFilterNew: false }}
      onDone={(reply) => toastUndo('View saved.', reply)}
      note={<DeleteButton isPending={remove.isPending} onClick={() => void ask()} />}
    >
      <TextField name="name" label="Name" />
      {currentText !== text && <CheckField name="isFilterNew" label={`Use the current filters: ${currentText}`} />}
      {shared}
    </FormDialog>
  )
}
