import { type Company, companyFields, type updateCompany } from '@limber/contract/company/company.ts'
import { weekStarts } from '@limber/contract/kit/company-time.ts'
import { Button } from '@mantine/core'
import { z } from 'zod'
import { ChoiceField, FieldRow, TextField } from '#ui/form/fields.tsx'
import { FormBody } from '#ui/form/form.tsx'
import { LeaveGuard } from '#ui/form/leave-guard.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { useForm } from '#ui/form/use-form.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { useUpdateCompany } from './company.api.ts'
import styles from './company.module.css'
import { useKeptInput } from './use-kept-input.ts'

const blank = (schema: z.ZodType<string>) => schema.default('')
const Profile = z.object({
  ...companyFields,
  legal_name: blank(companyFields.legal_name),
  address_line: blank(companyFields.address_line),
  city: blank(companyFields.city),
  state: blank(companyFields.state),
  postal_code: blank(companyFields.postal_code),
  phone: blank(companyFields.phone),
  reply_to: blank(companyFields.reply_to as z.ZodType<string>),
})
type Fields = z.output<typeof Profile>

const timeZones = Intl.supportedValuesOf('timeZone').map((value) => ({ value, label: value.replaceAll('_', ' ') }))
const weekLabels = { sunday: 'Sunday', monday: 'Monday' } as const
const weekOptions = weekStarts.map((value) => ({ value, label: weekLabels[value] }))

const fieldsOf = ({ logo: _, saved_at: __, version: ___, ...fields }: Company): Fields => fields

const formatters: readonly (readonly [string, (fields: Fields) => string])[] = [
  ['Name', ({ name }) => name],
  ['Legal name', ({ legal_name }) => legal_name],
  ['Street', ({ address_line }) => address_line],
  ['City', ({ city }) => city],
  ['State', ({ state }) => state],
  ['ZIP code', ({ postal_code }) => postal_code],
  ['Phone', ({ phone }) => phone],
  ['Reply-to address', ({ reply_to }) => reply_to],
  ['Time zone', ({ time_zone }) => time_zone],
  ['Week starts on', ({ week_starts_on }) => weekLabels[week_starts_on]],
]

interface Props {
  base: Company
  isReadOnly: boolean
  onSaved: (company: Company) => void
}

/** The profile of the company. When two Owners edit at once, the second one decides which version to keep. */
export function ProfileForm({ base, isReadOnly, onSaved }: Props) {
  const update = useUpdateCompany()
  const { mutateAsync, conflict } = useConflict<typeof updateCompany, Fields>({
    base,
    fieldsOf,
    formatters,
    title: 'Someone else changed the company profile',
    send: (fields) => update.mutateAsync(Profile.extend({ version: z.number() }).parse(fields)),
    onSaved: (company) => {
      toastUndo('Company profile saved.', company)
      onSaved(company)
    },
    onTaken: onSaved,
  })
  const model = useForm({
    schema: Profile,
    mutation: { mutateAsync: (typed) => mutateAsync(Profile.parse(typed)) },
    initial: fieldsOf(base),
  })
  useKeptInput('profile', model, fieldsOf(base))
  const foot = !isReadOnly && (
    <div className={styles.foot}>
      <Button type="submit" loading={model.isSending}>
        Save profile
      </Button>
    </div>
  )
  const field = { isDisabled: isReadOnly }
  return (
    <>
      <FormBody model={model} foot={foot}>
        <FieldRow>
          <TextField label="Name" name="name" hint="On screens, in emails and on certificates." {...field} />
          <TextField label="Legal name" name="legal_name" {...field} />
        </FieldRow>
        <TextField
          label="Street"
          name="address_line"
          hint="The law requires a postal address in bulk email."
          {...field}
        />
        <FieldRow>
          <TextField label="City" name="city" {...field} />
          <TextField label="State" name="state" {...field} />
          <TextField label="ZIP code" name="postal_code" {...field} />
        </FieldRow>
        <FieldRow>
          <TextField label="Phone" name="phone" type="tel" {...field} />
          <TextField label="Reply-to address" name="reply_to" type="email" hint="Where replies go." {...field} />
        </FieldRow>
        <FieldRow>
          <ChoiceField
            label="Time zone"
            name="time_zone"
            options={timeZones}
            hint="Decides days and times everywhere. A change applies at once."
            {...field}
          />
          <ChoiceField label="Week starts on" name="week_starts_on" options={weekOptions} {...field} />
        </FieldRow>
      </FormBody>
      {conflict}
      <LeaveGuard isDirty={model.isDirty && !model.isSending} />
    </>
  )
}
