import type { CertificationType, updateCertificationType } from '@limber/contract/certifications/type.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { AreaField, ChoiceField, SwitchField, TextField } from '#ui/form/fields.tsx'
import { ManyField } from '#ui/form/many/many-field.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { typesQuery, useChangeType, useCreateType } from './certification.api.ts'

const Fields = z.object({
  certificationName: z.string().trim().min(1, 'is required').max(120, 'must be at most 120 characters'),
  description: z.string().trim().max(1000, 'must be at most 1,000 characters').default(''),
  validMonths: z.number().int().min(1, 'must be at least 1').max(240, 'must be at most 240').optional(),
  isRequired: z.boolean().default(false),
  isRetired: z.boolean().default(false),
  courses: z.array(z.string()).max(20, 'must be at most 20 courses').default([]),
})
type Fields = z.infer<typeof Fields>

const fieldsOf = ({
  certificationName,
  description,
  validMonths,
  isRequired,
  isRetired,
  courses,
}: CertificationType): Fields => ({
  certificationName,
  description,
  ...(validMonths === null ? {} : { validMonths }),
  isRequired,
  isRetired,
  courses: courses.map(({ id }) => id),
})

const yesNo = (is: boolean) => (is ? 'Yes' : 'No')

const COMMON_MONTHS = [6, 12, 18, 24, 36, 48, 60]

/** The common durations, and the current one of the type. */
const durationOptions = (current: number | null) =>
  [...new Set([...COMMON_MONTHS, ...(current === null ? [] : [current])])]
    .toSorted((a, b) => a - b)
    .map((months) => ({ value: String(months), label: pluralize(months, 'month') }))

interface InputsProps {
  isNew: boolean
  current?: number | null
  /** The courses that the type needs now. One of them may no longer be in production. */
  needed?: CertificationType['courses']
}

function Courses({ needed }: { needed: CertificationType['courses'] }) {
  const { data } = useQuery(typesQuery)
  const all = new Map([...needed, ...(data?.courses ?? [])].map(({ id, courseName }) => [id, courseName]))
  return (
    <ManyField
      label="Courses"
      name="courses"
      options={[...all].map(([value, label]) => ({ value, label }))}
      hint="To complete before the certification is issued."
      none="There are no courses in production."
    />
  )
}

function Inputs({ isNew, current = null, needed = [] }: InputsProps) {
  return (
    <>
      <TextField label="Name" name="certificationName" />
      <AreaField label="Description" name="description" rows={3} hint="Shown on the public page." />
      <ChoiceField
        label="Valid for"
        name="validMonths"
        options={durationOptions(current)}
        placeholder="No expiration"
        isNumeric
      />
      <SwitchField
        label="Required for on-site sessions"
        name="isRequired"
        hint="Stretchers without a valid one cannot be assigned to on-site sessions."
      />
      <Courses needed={needed} />
      {!isNew && (
        <SwitchField
          label="Retired"
          name="isRetired"
          hint="It can no longer be issued. Existing certifications do not change."
        />
      )}
    </>
  )
}

const VALIDITY_NOTE = 'Issued certifications keep their last valid day.'

function NewType({ onClose }: { onClose: () => void }) {
  const create = useCreateType()
  const mutation = {
    mutateAsync: async (typed: z.input<typeof Fields>) => {
      const { isRetired: _, validMonths, ...rest } = Fields.parse(typed)
      const made = await create.mutateAsync({ ...rest, validMonths: validMonths ?? null })
      toastUndo(`“${made.certificationName}” added.`, made)
    },
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Add a certification type"
      context={VALIDITY_NOTE}
      submit="Add type"
      schema={Fields}
      mutation={mutation}
    >
      <Inputs isNew />
    </FormDialog>
  )
}

function EditType({ type, onClose }: { type: CertificationType; onClose: () => void }) {
  const update = useChangeType()
  const { mutateAsync, conflict } = useConflict<typeof updateCertificationType, Fields>({
    base: type,
    fieldsOf,
    title: `Someone else changed “${type.certificationName}”`,
    formatters: [
      ['Name', ({ certificationName }) => certificationName],
      ['Description', ({ description }) => description || '--'],
      ['Valid for', ({ validMonths }) => (validMonths ? pluralize(validMonths, 'month') : 'No expiration')],
      ['Required for on-site sessions', ({ isRequired }) => yesNo(isRequired)],
      ['Retired', ({ isRetired }) => yesNo(isRetired)],
      ['Courses', ({ courses }) => courses.join(', ') || '--'],
    ],
    send: ({ validMonths, ...rest }) =>
      update.mutateAsync({ id: type.id, body: { ...rest, validMonths: validMonths ?? null } }),
    onSaved: (saved) => {
      toastUndo(`“${saved.certificationName}” saved.`, saved)
      onClose()
    },
  })
  return (
    <>
      <FormDialog
        isOpen
        onClose={onClose}
        title={`Edit “${type.certificationName}”`}
        context={VALIDITY_NOTE}
        submit="Save"
        schema={Fields}
        mutation={{ mutateAsync: (typed) => mutateAsync(Fields.parse(typed)) }}
        initial={fieldsOf(type)}
        note={<HistoryButton isInDialog size="xs" record={{ kind: 'certification_type', id: type.id }} />}
      >
        <Inputs isNew={false} current={type.validMonths} needed={type.courses} />
      </FormDialog>
      {conflict}
    </>
  )
}

export function TypeDialog({ type, onClose }: { type: CertificationType | undefined; onClose: () => void }) {
  return type ? <EditType type={type} onClose={onClose} /> : <NewType onClose={onClose} />
}
