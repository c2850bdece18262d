import {
  createSavedReply,
  type SavedReply,
  type SavedReplyDraft,
  type updateSavedReply,
} from '@limber/contract/support/saved-replies/saved-reply.ts'
import { useState } from 'react'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { AreaField, TextField } from '#ui/form/fields.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { PLACEHOLDERS } from './fill-reply.ts'
import { useCreateReply, useUpdateReply } from './saved-reply.api.ts'

const fields = (
  <>
    <TextField label="Name" name="name" />
    <AreaField
      label="Text"
      name="content"
      rows={8}
      hint={`${PLACEHOLDERS} are filled in from the ticket where it is used.`}
    />
  </>
)

/** Saves a text under a name; what stands in the box, when it comes from there. */
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
      onDone={() => toast('The reply is saved for everybody.')}
      {...(content.trim() && {
        context: "Take out what is the customer's own before you save it.",
        initial: { content },
      })}
    >
      {fields}
    </FormDialog>
  )
}

const fieldsOf = ({ name, content }: SavedReply): SavedReplyDraft => ({ name, content })

/** Changes a saved reply. Of two who do so at once, the second chooses. */
export function EditReply({ reply, onClose }: { reply: SavedReply; onClose: () => void }) {
  // What is read again meanwhile must not slip under the form.
  const [base] = useState(reply)
  const update = useUpdateReply(base.id)
  const { mutateAsync, conflict } = useConflict<typeof updateSavedReply, SavedReplyDraft>({
    base,
    fieldsOf,
    title: 'This saved reply was changed meanwhile',
    words: [
      ['Name', ({ name }) => name],
      ['Text', ({ content }) => content],
    ],
    send: update.mutateAsync,
    onSaved: onClose,
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
