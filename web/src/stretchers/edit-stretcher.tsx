import { pickFields } from '@limber/contract/kit/fields.ts'
import {
  type StretcherDetail,
  stretcherFields,
  stretcherLabels,
  updateStretcher,
} from '@limber/contract/stretchers/stretcher.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import { zonesQuery } from '#businesses/public.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { DayField } from '#ui/form/day-field.tsx'
import { fieldFormatters } from '#ui/form/field-formatters.ts'
import { ChoiceField, FieldRow, TextField } from '#ui/form/fields.tsx'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { nameOf } from './labels.ts'
import { useUpdate } from './stretcher.api.ts'

// Empty inputs are sent as null.
const { dateOfBirth, zoneId } = updateStretcher.body.shape
const Fields = updateStretcher.body
  .omit({ version: true })
  .extend({ dateOfBirth: dateOfBirth.default(null), zoneId: zoneId.default(null) })
type Fields = z.infer<typeof Fields>

const fieldsOf = ({ zone, ...stretcher }: StretcherDetail): Fields =>
  pickFields(stretcherFields, { ...stretcher, zoneId: zone?.id ?? null })

/** Edits name, date of birth and zone. The second of two concurrent edits resolves the conflict. */
export function EditStretcher({ stretcher, onClose }: { stretcher: StretcherDetail; onClose: () => void }) {
  // A refetch must not change the record that the form started from.
  const [base] = useState(stretcher)
  const update = useUpdate(base.id)
  const zones = useQuery(zonesQuery).data?.zones ?? []
  const options = zones.map(({ id, name }) => ({ value: String(id), label: name }))
  const zoneName = (id: number | null) => zones.find((zone) => zone.id === id)?.name ?? 'No zone'
  const { mutateAsync, conflict } = useConflict<typeof updateStretcher, Fields>({
    base,
    fieldsOf,
    title: `Someone else changed ${nameOf(base)}`,
    formatters: fieldFormatters(stretcherFields, { blank: '--', shown: { zoneId: zoneName } }),
    send: (fields) => update.mutateAsync(fields),
    onSaved: (saved) => {
      toastUndo(`${nameOf(saved)} saved.`, saved)
      onClose()
    },
  })
  return (
    <>
      <FormDialog
        isOpen
        onClose={onClose}
        title={`Edit ${nameOf(base)}`}
        context="This also changes the name of the user account."
        submit="Save"
        schema={Fields}
        mutation={{ mutateAsync: (typed) => mutateAsync(Fields.parse(typed)) }}
        initial={fieldsOf(base)}
      >
        <FieldRow>
          <TextField label={stretcherLabels.firstName} name="firstName" />
          <TextField label={stretcherLabels.lastName} name="lastName" />
        </FieldRow>
        <DayField label={stretcherLabels.dateOfBirth} name="dateOfBirth" />
        <ChoiceField label={stretcherLabels.zoneId} name="zoneId" options={options} placeholder="No zone" isNumeric />
      </FormDialog>
      {conflict}
    </>
  )
}
