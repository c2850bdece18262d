import type { EarnerReply } from '@limber/contract/payroll/earner.ts'
import { addEntry, HandType } from '@limber/contract/payroll/entry.ts'
import { isWage } from '@limber/contract/payroll/values.ts'
import { DayField } from '#ui/day-field.tsx'
import { dayText } from '#ui/day-text.ts'
import { ChoiceField, FieldRow, TextField } from '#ui/fields.tsx'
import { FigureField } from '#ui/figure-field.tsx'
import { FormDialog } from '#ui/form-dialog.tsx'
import { toast } from '#ui/toast-store.ts'
import { type EntryInput, useAddEntry } from './earner.api.ts'
import { said, today } from './words.ts'

const types = HandType.options.map((value) => ({
  value,
  label: isWage(value) ? said(value) : `${said(value)} (not taxed)`,
}))

/** Enters pay or a reimbursement that no session brings. */
export default function EntryDialog({ earner, onClose }: { earner: EarnerReply; onClose: () => void }) {
  const add = useAddEntry()
  const mutation = {
    mutateAsync: async (input: EntryInput) => {
      const { pay_date } = await add.mutateAsync(input)
      toast('The entry is made.', { detail: `It is paid on ${dayText(pay_date)}.` })
    },
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Add pay for ${earner.name}`}
      context="Wages are taxed at the provisional rate of their day; mileage and expenses are not. You confirm with your passkey."
      submit="Add"
      schema={addEntry.body}
      initial={{ type: 'bonus', work_date: today() }}
      fixed={{ earner_id: earner.id }}
      mutation={mutation}
    >
      <FieldRow>
        <ChoiceField label="Type" name="type" options={types} />
        <FigureField label="Amount" name="amount" decimals={4} hint="Dollars, before tax" />
      </FieldRow>
      <FieldRow>
        <DayField label="For the day" name="work_date" max={today()} />
        <TextField label="What for" name="sub_type" isOptional hint="Shown as its sub-type." />
      </FieldRow>
    </FormDialog>
  )
}
