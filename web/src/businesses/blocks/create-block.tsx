import {
  blockHours,
  createBlock,
  DEFAULT_HOURS,
  DEFAULT_SLOT,
  slotMinutes,
} from '@limber/contract/businesses/blocks/block.ts'
import { useState } from 'react'
import { DayField } from '#ui/form/day-field.tsx'
import { ChoiceField, TextField } from '#ui/form/fields.tsx'
import { Form } from '#ui/form/form.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { blockText } from '../labels.ts'
import { useCreateBlock } from './block.api.ts'
import styles from './block-list.module.css'

const choices = (values: readonly number[]) => values.map((value) => ({ value: String(value), label: String(value) }))

/** Creates a block: hours, slot length, an internal label and an optional last day. */
export function CreateBlock({ businessId }: { businessId: number }) {
  const [turn, setTurn] = useState(0)
  const create = useCreateBlock()
  const mutation = {
    mutateAsync: async (body: Parameters<typeof create.mutateAsync>[0]) => {
      const block = await create.mutateAsync(body)
      toastUndo('Block created.', block, { detail: blockText(block.block_hours, block.slot_length_minutes) })
    },
  }
  return (
    <div className={styles.make}>
      <Form
        key={turn}
        schema={createBlock.body}
        mutation={mutation}
        initial={{ block_hours: DEFAULT_HOURS, slot_length_minutes: DEFAULT_SLOT, internal_label: '' }}
        fixed={{ business_id: businessId }}
        submit="Create Block"
        isQuiet
        isGuarded
        record="business"
        onDone={() => setTurn(turn + 1)}
      >
        <div className={styles.fields}>
          <ChoiceField label="Block hours" name="block_hours" options={choices(blockHours)} isNumeric />
          <ChoiceField label="Slot minutes" name="slot_length_minutes" options={choices(slotMinutes)} isNumeric />
          <TextField label="Internal label" name="internal_label" placeholder="For workers only" />
          <DayField label="Last day (optional)" name="expires_on" />
        </div>
      </Form>
    </div>
  )
}
