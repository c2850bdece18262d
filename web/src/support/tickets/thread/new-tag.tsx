import { createTag } from '@limber/contract/support/queues/tag.ts'
import { useCreateTag } from '#support/queues/queue.api.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { TextField } from '#ui/form/fields.tsx'

/** Creates a tag and gives it to the ticket. */
export default function NewTag({ onClose, onCreated }: { onClose: () => void; onCreated: (id: number) => void }) {
  const create = useCreateTag()
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="New tag"
      submit="Add tag"
      size={400}
      schema={createTag.body}
      mutation={{ mutateAsync: async (body) => onCreated((await create.mutateAsync(body)).id) }}
    >
      <TextField name="name" label="Name" />
    </FormDialog>
  )
}
