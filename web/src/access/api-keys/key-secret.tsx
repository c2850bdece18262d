import { type ApiKey, MAX_OVERLAP_HOURS } from '@limber/contract/access/api-keys/api-key.ts'
import { useQuery } from '@tanstack/react-query'
import { momentText } from '#ui/format/moment-text.ts'
import { CopyButton } from '#ui/layout/copy-button.tsx'
import { RotateDialog } from '../secrets/rotate-dialog.tsx'
import { SecretDialog } from '../secrets/secret-dialog.tsx'
import secrets from '../secrets/secrets.module.css'
import { apiKeysQuery, useRotateKey } from './api-key.api.ts'
import styles from './api-keys.module.css'
import type { NewKey as Made } from './key-form.tsx'

const commandFor = (token: string) =>
  `curl ${window.location.origin}/api/v1/me \\\n  -H "Authorization: Bearer ${token}"`

/** Turns green when the key makes its first call; the live topic brings the news. */
function FirstCall({ keyId }: { keyId: number }) {
  const key = useQuery(apiKeysQuery).data?.keys.find(({ id }) => id === keyId)
  const isUsed = Boolean(key?.lastUsedAt)
  return (
    <p className={styles.waiting} role="status" data-used={isUsed || undefined}>
      <span className={styles.pulse} />
      {isUsed
        ? `First call received from ${key?.lastUsedAddress ?? 'an unknown address'}.`
        : 'Waiting for the first call. This line turns green when it arrives.'}
    </p>
  )
}

/** The whole key, with a command that tries it. */
export function NewKey({ made: { key, token }, onClose }: { made: Made; onClose: () => void }) {
  return (
    <SecretDialog
      kind="key"
      name={key.name}
      context="It is shown once. Limber stores only its hash."
      secret={token}
      onClose={onClose}
    >
      <div>
        <p className={secrets.legend}>Try it</p>
        <div className={styles.command}>
          <pre>{commandFor(`lmb_${key.publicId}_…`)}</pre>
          <CopyButton text={commandFor(token)} label="Copy command" />
        </div>
        {key.rotation ? (
          <p className={styles.waiting}>The old secret works until {momentText(key.rotation.oldEndsAt)}.</p>
        ) : (
          <FirstCall keyId={key.id} />
        )}
      </div>
    </SecretDialog>
  )
}

interface RotateProps {
  apiKey: ApiKey
  onClose: () => void
  onRotated: (made: Made) => void
}

/** A new secret for a key. To end the old one at once, a person revokes the key. */
export function RotateKey({ apiKey, onClose, onRotated }: RotateProps) {
  const rotate = useRotateKey(apiKey.id)
  return (
    <RotateDialog
      kind="key"
      name={apiKey.name}
      context="You get a new key, shown once. The old one keeps working during the overlap. This cannot be undone."
      min={1}
      max={MAX_OVERLAP_HOURS}
      rotate={async (body) => onRotated(await rotate.mutateAsync(body))}
      onClose={onClose}
    />
  )
}
