import type { CertificationType, updateCertificationType } from '@limber/contract/certifications/type.ts'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { AreaField, ChoiceField, SwitchField, TextField } from '#ui/form/fields.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { useChangeType, useCreateType } from './certification.api.ts'

const Fields = z.object({
  certificationName: z.string().trim().min(1, 'is required').max(120, 'has more than 120 characters'),
  description: z.string().trim().max(1000, 'has more than 1000 characters').default(''),
  validMonths: z.number().int().min(1, 'must be at least 1').max(240, 'must be at most 240').optional(),
  isRequired: z.boolean().default(false),
  isRetired: z.boolean().default(false),
})
type Fields = z.infer<typeof Fields>

const fieldsOf = ({
  certificationName,
  description,
  validMonths,
  isRequired,
  isRetired,
}: CertificationType): Fields => ({
  certificationName,
  description,
  ...(validMonths === null ? {} : { validMonths }),
  isRequired,
  isRetired,
})

const yesNo = (is: boolean) => (is ? 'Yes' : 'No')

const usual = [6, 12, 18, 24, 36, 48, 60]

/** The usual terms, and the one that a type has already. */
const terms = (held: number | null) =>
  [...new Set([...usual, ...(held === null ? [] : [held])])]
    .toSorted((a, b) => a - b)
    .map((months) => ({ value: String(months), label: `${months} months` }))

function Inputs({ isNew, held = null }: { isNew: boolean; held?: number | null }) {
  return (
    <>
      <TextField label="Name" name="certificationName" />
      <AreaField label="What it takes" name="description" rows={3} hint="Shown on the public page." />
      <ChoiceField label="Valid for" name="validMonths" options={terms(held)} placeholder="No end" isNumeric />
      <SwitchField
        label="Required for on-site sessions"
        name="isRequired"
        hint="Stretchers without a valid one are not sent to businesses."
      />
      {!isNew && (
        <SwitchField label="No longer given out" name="isRetired" hint="Those who hold one keep it until it ends." />
      )}
    </>
  )
}

const FOOT = 'What was issued keeps the day on which it ends.'

function NewType({ onClose }: { onClose: () => void }) {
  const create = useCreateType()
  const mutation = {
    mutateAsync: async (typed: z.input<typeof Fields>) => {
      const { isRetired: _, validMonths, ...rest } = Fields.parse(typed)
      const made = await create.mutateAsync({ ...rest, validMonths: validMonths ?? null })
      toast(`“${made.certificationName}” is added.`)
    },
  }
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title="Add a certification type"
      context={FOOT}
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
    title: `“${type.certificationName}” was changed meanwhile`,
    words: [
      ['Name', ({ certificationName }) => certificationName],
      ['What it takes', ({ description }) => description || '--'],
      ['Valid for', ({ validMonths }) => (validMonths ? `${validMonths} months` : 'No end')],
      ['Required for on-site sessions', ({ isRequired }) => yesNo(isRequired)],
      ['No longer given out', ({ isRetired }) => yesNo(isRetired)],
    ],
    send: ({ validMonths, ...rest }) =>
      update.mutateAsync({ id: type.id, body: { ...rest, validMonths: validMonths ?? null } }),
    onSaved: (saved) => {
      toast(`“${saved.certificationName}” is saved.`)
      onClose()
    },
  })
  return (
    <>
      <FormDialog
        isOpen
        onClose={onClose}
        title={`Edit “${type.certificationName}”`}
        context={FOOT}
        submit="Save"
        schema={Fields}
        mutation={{ mutateAsync: (typed) => mutateAsync(Fields.parse(typed)) }}
        initial={fieldsOf(type)}
      >
        <Inputs isNew={false} held={type.validMonths} />
      </FormDialog>
      {conflict}
    </>
  )
}

/** A type, new or to be changed. */
export function TypeDialog({ type, onClose }: { type: CertificationType | undefined; onClose: () => void }) {
  return type ? <EditType type={type} onClose={onClose} /> : <NewType onClose={onClose} />
}
