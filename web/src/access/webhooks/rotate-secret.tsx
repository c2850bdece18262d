import { MAX_WEBHOOK_OVERLAP_HOURS, type WebhookEndpoint } from '@limber/contract/access/webhooks/webhook.ts'
import { z } from 'zod'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { NumberField } from '#ui/form/number-field.tsx'
import { passkeyNote } from '../api-keys/key-form.tsx'
import type { NewSecret } from './endpoint-form.tsx'
import { useRotateSecret } from './webhook.api.ts'
import { endpointName } from './webhook-labels.ts'

const DAY_HOURS = 24
const Schema = z.strictObject({ overlapHours: z.int().min(0).max(MAX_WEBHOOK_OVERLAP_HOURS) })

interface Props {
  endpoint: WebhookEndpoint
  onClose: () => void
  onRotated: (made: NewSecret) => void
}

/** A new secret for an endpoint; requests carry both signatures for a while. */
export function RotateSecret({ endpoint, onClose, onRotated }: Props) {
  const rotate = useRotateSecret(endpoint.id)
  const mutateAsync = async (body: z.input<typeof Schema>) => onRotated(await rotate.mutateAsync(body))
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={`Rotate the secret of ${endpointName(endpoint)}`}
      context="You get a new secret, shown once. Requests are signed with both during the overlap."
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
        min={0}
        max={MAX_WEBHOOK_OVERLAP_HOURS}
        hint={`0 to ${MAX_WEBHOOK_OVERLAP_HOURS}: time to put the new secret in place`}
      />
    </FormDialog>
  )
}
