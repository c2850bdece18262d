import type { PrepaidBlock, updateBlock } from '@limber/contract/businesses/blocks/block.ts'
import { useState } from 'react'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { DayField } from '#ui/form/day-field.tsx'
import { TextField } from '#ui/form/fields.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { blockText } from '../labels.ts'
import { useUpdateBlock } from './block.api.ts'

// Only the server validates the label and the day.
const Fields = z.object({ internal_label: z.string().default(''), expires_on: z.string().default('') })
type Fields = z.infer<typeof Fields>

const fieldsOf = ({ internal_label, expires_on }: PrepaidBlock): Fields => ({
  internal_label,
  expires_on: expires_on ?? '',
})

/** Edits the label and the last day of a block. When two workers edit at once, the second one resolves the conflict. */
export default function EditBlock({ block, onClose }: { block: PrepaidBlock; onClose: () => void }) {
  // Keep the form on its base version when the block is reloaded.
  const [base] = useState(block)
  const update = useUpdateBlock()
  const { mutateAsync, conflict } = useConflict<typeof updateBlock, Fields>({
    base,
    fieldsOf,
    title: 'Someone else changed this block',
    formatters: [
      ['Internal label', ({ internal_label }) => internal_label || '--'],
      ['Last day', ({ expires_on }) => dayText(expires_on || null, 'None')],
    ],
    send: ({ expires_on, ...rest }) =>
      update.mutateAsync({ ...rest, block_id: base.id, expires_on: expires_on || null }),
    onSaved: (saved) => {
      toastUndo('Saved.', saved)
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
        note={<HistoryButton isInDialog size="xs" record={{ kind: 'prepaid_block', id: base.id }} />}
      >
        <TextField label="Internal label" name="internal_label" placeholder="For workers only" />
        <DayField label="Last day (optional)" name="expires_on" hint="Sessions can start on this day at the latest." />
      </FormDialog>
      {conflict}
    </>
  )
}
