import type { StretcherDetail } from '@limber/contract/stretchers/stretcher.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { zonesQuery } from '#businesses/public.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { DayField } from '#ui/form/day-field.tsx'
import { ChoiceField, FieldRow, TextField } from '#ui/form/fields.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { useUpdate } from './stretcher.api.ts'
import { nameOf } from './words.ts'

const Fields = z.object({
  firstName: z.string().trim().min(1, 'is required').max(100),
  lastName: z.string().trim().min(1, 'is required').max(100),
  dateOfBirth: z.string().optional(),
  zoneId: z.number().optional(),
})
type Fields = z.infer<typeof Fields>

const fieldsOf = ({ firstName, lastName, dateOfBirth, zone }: StretcherDetail): Fields => ({
  firstName,
  lastName,
  ...(dateOfBirth ? { dateOfBirth } : {}),
  ...(zone ? { zoneId: zone.id } : {}),
})

/** Name, date of birth and zone. Of two who edit at once, the second chooses. */
export function EditStretcher({ stretcher, onClose }: { stretcher: StretcherDetail; onClose: () => void }) {
  // What was read again meanwhile must not slip under the form.
  const [base] = useState(stretcher)
  const update = useUpdate(base.id)
  const zones = useQuery(zonesQuery).data?.zones ?? []
  const options = zones.map(({ id, name }) => ({ value: String(id), label: name }))
  const zoneName = (id: number | undefined) => zones.find((zone) => zone.id === id)?.name ?? 'No zone'
  const { mutateAsync, conflict } = useConflict<StretcherDetail, Fields>({
    base,
    fieldsOf,
    title: `${nameOf(base)} was changed meanwhile`,
    words: [
      ['First name', ({ firstName }) => firstName],
      ['Last name', ({ lastName }) => lastName],
      ['Date of birth', ({ dateOfBirth }) => dayText(dateOfBirth)],
      ['Zone', ({ zoneId }) => zoneName(zoneId)],
    ],
    send: ({ dateOfBirth, zoneId, ...rest }) =>
      update.mutateAsync({ ...rest, dateOfBirth: dateOfBirth ?? null, zoneId: zoneId ?? null }),
    onSaved: (saved) => {
      toast(`${nameOf(saved)} is saved.`)
      onClose()
    },
  })
  return (
    <>
      <FormDialog
        isOpen
        onClose={onClose}
        title={`Edit ${nameOf(base)}`}
        context="The name of the user account changes with it."
        submit="Save"
        schema={Fields}
        mutation={{ mutateAsync: (typed) => mutateAsync(Fields.parse(typed)) }}
        initial={fieldsOf(base)}
      >
        <FieldRow>
          <TextField label="First name" name="firstName" />
          <TextField label="Last name" name="lastName" />
        </FieldRow>
        <DayField label="Date of birth" name="dateOfBirth" />
        <ChoiceField label="Zone" name="zoneId" options={options} placeholder="No zone" isNumeric />
      </FormDialog>
      {conflict}
    </>
  )
}
