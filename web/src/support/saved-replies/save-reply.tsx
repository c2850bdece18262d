import {
  createSavedReply,
  type SavedReply,
  type SavedReplyDraft,
  type updateSavedReply,
} from '@limber/contract/support/saved-replies/saved-reply.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { tagsQuery } from '#support/queues/queue.api.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { AreaField, TextField } from '#ui/form/fields.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { ticketWorkersQuery } from '../tickets/ticket.api.ts'
import { PLACEHOLDERS } from './fill-reply.ts'
import { MacroActionsField } from './macro-actions-field.tsx'
import { describeAction } from './macro-labels.ts'
import { useCreateReply, useUpdateReply } from './saved-reply.api.ts'

const fields = (
  <>
    <TextField label="Name" name="name" />
    <AreaField label="Text" name="content" rows={8} hint={`${PLACEHOLDERS} are filled in from the ticket.`} />
    <MacroActionsField name="actions" />
  </>
)

/** Saves a new reply; `content` is the text from the reply box, if it comes from there. */
export function SaveReply({ content, onClose }: { content: string; onClose: () => void }) {
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="New saved reply"
      submit="Save"
      size={520}
      schema={createSavedReply.body}
      mutation={useCreateReply()}
      onDone={(reply) => toastUndo('Reply saved for everyone.', reply)}
      {...(content.trim() && {
        context: 'Remove personal details before you save it.',
        initial: { content },
      })}
    >
      {fields}
    </FormDialog>
  )
}

const fieldsOf = ({ name, content, actions }: SavedReply): SavedReplyDraft => ({ name, content, actions })

/** Edits a saved reply. After a concurrent change the second editor chooses which values to keep. */
export function EditReply({ reply, onClose }: { reply: SavedReply; onClose: () => void }) {
  // A refresh must not change the values under the open form.
  const [base] = useState(reply)
  const update = useUpdateReply(base.id)
  const { data: tags = [] } = useQuery(tagsQuery)
  const { data: workers = [] } = useQuery(ticketWorkersQuery)
  const { mutateAsync, conflict } = useConflict<typeof updateSavedReply, SavedReplyDraft>({
    base,
    fieldsOf,
    title: 'Someone else changed this saved reply',
    formatters: [
      ['Name', ({ name }) => name],
      ['Text', ({ content }) => content],
      ['Actions', ({ actions = [] }) => actions.map((action) => describeAction(action, tags, workers)).join('\n')],
    ],
    send: update.mutateAsync,
    onSaved: (saved) => {
      toastUndo(`“${saved.name}” saved.`, saved)
      onClose()
    },
    onTaken: onClose,
  })
  return (
    <>
      <FormDialog
        isOpen
        onClose={onClose}
        title="Edit saved reply"
        submit="Save"
        size={520}
        schema={createSavedReply.body}
        mutation={{ mutateAsync: (typed) => mutateAsync(createSavedReply.body.parse(typed)) }}
        initial={fieldsOf(base)}
      >
        {fields}
      </FormDialog>
      {conflict}
    </>
  )
}
