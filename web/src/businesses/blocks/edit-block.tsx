import type { PrepaidBlock, updateBlock } from '@limber/contract/businesses/blocks/block.ts'
import { useState } from 'react'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { DayField } from '#ui/form/day-field.tsx'
import { TextField } from '#ui/form/fields.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { blockText } from '../words.ts'
import { useUpdateBlock } from './block.api.ts'

// What is wrong with a label or a day is the server's to say.
const Fields = z.object({ internal_label: z.string().default(''), expires_on: z.string().default('') })
type Fields = z.infer<typeof Fields>

const fieldsOf = ({ internal_label, expires_on }: PrepaidBlock): Fields => ({
  internal_label,
  expires_on: expires_on ?? '',
})

/** Changes the label and the last day of a block. Of two who edit at once, the second chooses. */
export default function EditBlock({ block, onClose }: { block: PrepaidBlock; onClose: () => void }) {
  // What was read again meanwhile must not slip under the form.
  const [base] = useState(block)
  const update = useUpdateBlock()
  const { mutateAsync, conflict } = useConflict<typeof updateBlock, Fields>({
    base,
    fieldsOf,
    title: 'This block changed meanwhile',
    words: [
      ['Internal label', ({ internal_label }) => internal_label || '--'],
      ['Last day', ({ expires_on }) => dayText(expires_on || null, 'None')],
    ],
    send: ({ expires_on, ...rest }) =>
      update.mutateAsync({ ...rest, block_id: base.id, expires_on: expires_on || null }),
    onSaved: () => {
      toast('Saved.')
      onClose()
    },
    onTaken: onClose,
  })
  return (
    <>
      <FormDialog
        isOpen
        onClose={onClose}
        title="Edit block"
        context={`${blockText(base.block_hours, base.slot_length_minutes)}. Hours and slots stay as they were granted.`}
        submit="Save"
        schema={Fields}
        mutation={{ mutateAsync: (typed) => mutateAsync(Fields.parse(typed)) }}
        initial={fieldsOf(base)}
      >
        <TextField label="Internal label" name="internal_label" placeholder="For staff" />
        <DayField label="Last day, if any" name="expires_on" hint="Sessions start on that day or before." />
      </FormDialog>
      {conflict}
    </>
  )
}
