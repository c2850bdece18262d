import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { NumberField } from '#ui/form/number-field.tsx'
import { passkeyNote } from './passkey-note.tsx'

const DAY_HOURS = 24

interface Props {
  kind: 'key' | 'secret'
  name: string
  context: string
  min: number
  max: number
  rotate: (body: { overlapHours: number }) => Promise<void>
  onClose: () => void
}

/** Asks how long the old secret stays valid beside the new one. */
export function RotateDialog({ kind, name, context, min, max, rotate, onClose }: Props) {
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Rotate the secret for ${name}`}
      context={context}
      submit="Rotate secret"
      note={passkeyNote}
      size={520}
      schema={z.strictObject({ overlapHours: z.int().min(min).max(max) })}
      mutation={{ mutateAsync: rotate }}
      initial={{ overlapHours: DAY_HOURS }}
    >
      <NumberField
        label="Overlap in hours"
        name="overlapHours"
        min={min}
        max={max}
        hint={`${min} to ${max}: time to put the new ${kind} in place`}
      />
    </FormDialog>
  )
}
