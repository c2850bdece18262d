import { Button, Checkbox } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { useState } from 'react'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { useConfirmBackupKey, useRevealBackupKey } from './company.api.ts'
import styles from './company.module.css'

interface Shown {
  keyId: string
  key: string
}

function KeyDialog({ shown, onClose }: { shown: Shown; onClose: () => void }) {
  const [isKept, setKept] = useState(false)
  const confirm = useConfirmBackupKey()
  const save = () =>
    confirm.mutateAsync(shown.keyId).then(
      () => {
        toast('Saved that the backup key is kept elsewhere.')
        onClose()
      },
      (error: unknown) => toastFailure("Couldn't save the confirmation", error),
    )
  const copy = () =>
    navigator.clipboard.writeText(shown.key).then(
      () => toast('Backup key copied.'),
      (error: unknown) => toastFailure("Couldn't copy the key", error),
    )
  const foot = (
    <>
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
      <Button disabled={!isKept} loading={confirm.isPending} onClick={() => void save()}>
        Confirm
      </Button>
    </>
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Backup key"
      context="Without it a backup cannot be opened. Print it or put it in a password manager, not on this machine."
      size={520}
      foot={foot}
    >
      <div className={styles.key}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: so that it can be reached and copied by keyboard */}
        <code tabIndex={0}>{shown.key}</code>
        <Button variant="default" leftSection={<Icon of={IconCopy} />} onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      <Checkbox
        label="I keep a copy elsewhere"
        checked={isKept}
        onChange={(event) => setKept(event.currentTarget.checked)}
      />
    </Dialog>
  )
}

/** Shows the backup key after the passkey, and asks whether a copy is kept elsewhere. */
export function ShowBackupKey({ size = 'sm' }: { size?: 'xs' | 'sm' }) {
  const [shown, setShown] = useState<Shown>()
  const reveal = useRevealBackupKey()
  const show = () =>
    reveal.mutateAsync().then(setShown, (error: unknown) => toastFailure("Couldn't show the backup key", error))
  return (
    <>
      <Button variant="default" size={size} loading={reveal.isPending} onClick={() => void show()}>
        Show key
      </Button>
      {shown && <KeyDialog shown={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}
