import { Button, Checkbox } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { momentText } from '#ui/format/moment-text.ts'
import { CopyButton } from '#ui/layout/copy-button.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { useCopy } from '../copy-text.ts'
import { apiKeysQuery } from './api-key.api.ts'
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

/** The whole key, shown once. It closes only when the person says that they kept it. */
export function NewKey({ made: { key, token }, onClose }: { made: Made; onClose: () => void }) {
  const [isKept, setKept] = useState(false)
  const { isCopied, copy } = useCopy(token)
  const command = commandFor(token)
  const foot = (
    <Button variant="default" disabled={!isKept} onClick={onClose}>
      Done
    </Button>
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Copy the key for ${key.name}`}
      context="It is shown once. Limber keeps only a hash of it."
      size={640}
      closesOnEscape={false}
      closesOnOutside={false}
      hasCloseButton={false}
      foot={foot}
    >
      <div className={styles.secret}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be reached and copied by keyboard */}
        <code tabIndex={0}>{token}</code>
        <Button leftSection={<Icon of={isCopied ? IconCheck : IconCopy} />} onClick={copy} data-autofocus>
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <div>
        <p className={styles.legend}>Try it</p>
        <div className={styles.command}>
          <pre>{commandFor(`lmb_${key.publicId}_…`)}</pre>
          <CopyButton text={command} label="Copy command" />
        </div>
        {key.rotation ? (
          <p className={styles.waiting}>The old secret works until {momentText(key.rotation.oldEndsAt)}.</p>
        ) : (
          <FirstCall keyId={key.id} />
        )}
      </div>
      <Checkbox
        label="I put the key in a safe place"
        checked={isKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
    </Dialog>
  )
}
