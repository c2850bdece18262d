import { type EarnerReply, recordProfile } from '@limber/contract/payroll/earners/earner.ts'
import { FilingStatus } from '@limber/contract/payroll/values.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { DayField } from '#ui/form/day-field.tsx'
import { CheckField, ChoiceField, FieldRow } from '#ui/form/fields.tsx'
import { FigureField } from '#ui/form/figure-field.tsx'
import { labelOf, today } from '../labels.ts'
import { type ProfileInput, useRecordProfile } from './earner.api.ts'

const statuses = FilingStatus.options.map((value) => ({ value, label: labelOf(value) }))

/** The form starts with today's values. */
function startOf({ profile }: EarnerReply): ProfileInput {
  if (!profile) return { filing_status: 'single', effective_from: today() }
  const { id: _, recorded_at: __, recorded_by: ___, ...declared } = profile
  return { ...declared, effective_from: today() }
}

/** Records a W-4 and DE 4; earlier ones stay on file. */
export default function ProfileDialog({ earner, onClose }: { earner: EarnerReply; onClose: () => void }) {
  const record = useRecordProfile(earner.id)
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`W-4 and DE 4 for ${earner.name}`}
      context="It applies from its effective date. Paid entries do not change; run the tax audit to see the effect on them."
      submit="Save"
      size={640}
      schema={recordProfile.body}
      initial={startOf(earner)}
      mutation={record}
      onDone={() => toast(`W-4 and DE 4 for ${earner.name} saved.`)}
    >
      <FieldRow>
        <ChoiceField label="Filing status" name="filing_status" options={statuses} />
        <DayField label="Effective from" name="effective_from" />
      </FieldRow>
      <CheckField label="W-4 step 2(c): two jobs, or spouse works" name="step2_checkbox" />
      <FieldRow>
        <FigureField
          label="Step 3, dependents and credits"
          name="step3_credits"
          isOptional
          decimals={2}
          hint="Dollars per year"
        />
        <FigureField
          label="Step 4(a), other income"
          name="step4a_income"
          isOptional
          decimals={2}
          hint="Dollars per year"
        />
      </FieldRow>
      <FieldRow>
        <FigureField
          label="Step 4(b), deductions"
          name="step4b_deductions"
          isOptional
          decimals={2}
          hint="Dollars per year"
        />
        <FigureField
          label="Step 4(c), extra withholding"
          name="step4c_extra"
          isOptional
          decimals={2}
          hint="Dollars per paycheck"
        />
      </FieldRow>
      <FieldRow>
        <FigureField label="DE 4 regular allowances" name="regular_allowances" isOptional />
        <FigureField label="DE 4 estimated deduction allowances" name="estimated_allowances" isOptional />
      </FieldRow>
    </FormDialog>
  )
}
