import { MAX_WEBHOOK_OVERLAP_HOURS, type WebhookEndpoint } from '@limber/contract/access/webhooks/webhook.ts'
import { momentText } from '#ui/format/moment-text.ts'
import { RotateDialog } from '../secrets/rotate-dialog.tsx'
import { SecretDialog } from '../secrets/secret-dialog.tsx'
import secrets from '../secrets/secrets.module.css'
import type { NewSecret as Made } from './endpoint-form.tsx'
import { useRotateSecret } from './webhook.api.ts'
import { endpointName } from './webhook-labels.ts'

/** The secret that signs the requests to an endpoint. */
export function NewSecret({ made: { endpoint, secret }, onClose }: { made: Made; onClose: () => void }) {
  return (
    <SecretDialog
      kind="secret"
      name={endpointName(endpoint)}
      context="It is shown once. The receiver verifies the signature of each request with it."
      secret={secret}
      onClose={onClose}
    >
      {endpoint.rotation && (
        <p className={secrets.note}>
          Requests are also signed with the old secret until {momentText(endpoint.rotation.oldEndsAt)}.
        </p>
      )}
    </SecretDialog>
  )
}

interface RotateProps {
  endpoint: WebhookEndpoint
  onClose: () => void
  onRotated: (made: Made) => void
}

/** A new secret for an endpoint; requests carry both signatures for a while. */
export function RotateSecret({ endpoint, onClose, onRotated }: RotateProps) {
  const rotate = useRotateSecret(endpoint.id)
  return (
    <RotateDialog
      kind="secret"
      name={endpointName(endpoint)}
      context="You get a new secret, shown once. Requests are signed with both during the overlap. This cannot be undone."
      min={0}
      max={MAX_WEBHOOK_OVERLAP_HOURS}
      rotate={async (body) => onRotated(await rotate.mutateAsync(body))}
      onClose={onClose}
    />
  )
}
