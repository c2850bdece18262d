import { type ApiKey, MAX_OVERLAP_HOURS } from '@limber/contract/access/api-keys/api-key.ts'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { NumberField } from '#ui/form/number-field.tsx'
import { useRotateKey } from './api-key.api.ts'
import { type NewKey, passkeyNote } from './key-form.tsx'

const DAY_HOURS = 24
// To end the old secret at once, a person revokes the key.
const Schema = z.strictObject({ overlapHours: z.int().min(1).max(MAX_OVERLAP_HOURS) })

interface Props {
  apiKey: ApiKey
  onClose: () => void
  onRotated: (made: NewKey) => void
}

/** A new secret for a key; the old one works for a while longer. */
export function RotateKey({ apiKey, onClose, onRotated }: Props) {
  const rotate = useRotateKey(apiKey.id)
  const mutateAsync = async (body: z.input<typeof Schema>) => onRotated(await rotate.mutateAsync(body))
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Rotate the secret of ${apiKey.name}`}
      context="You get a new key, shown once. The old one keeps working during the overlap."
      submit="Rotate secret"
      note={passkeyNote}
      size={520}
      schema={Schema}
      mutation={{ mutateAsync }}
      initial={{ overlapHours: DAY_HOURS }}
    >
      <NumberField
        label="Overlap in hours"
        name="overlapHours"
        min={1}
        max={MAX_OVERLAP_HOURS}
        hint={`1 to ${MAX_OVERLAP_HOURS}: time to put the new key in place`}
      />
    </FormDialog>
  )
}
