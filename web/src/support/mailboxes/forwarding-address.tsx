import type { Mailbox } from '@limber/contract/support/mailboxes/mailbox.ts'
import { Button } from '@mantine/core'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { CopyButton } from '#ui/layout/copy-button.tsx'
import { useMakeForwardingAddress } from './mailbox.api.ts'
import styles from './mailboxes.module.css'

/** The address that a provider posts emails to. It is shown once. */
export function ForwardingAddress({ mailbox, onClose }: { mailbox: Mailbox; onClose: () => void }) {
  const make = useMakeForwardingAddress()
  const url = make.data?.url
  const submit = () =>
    void make
      .mutateAsync(mailbox.id)
      .catch((error: unknown) => toastFailure("Couldn't make the forwarding address", error))
  const foot = url ? (
    <Button onClick={onClose}>Done</Button>
  ) : (
    <>
      <Button variant="default" onClick={onClose}>
        Cancel
      </Button>
      <Button loading={make.isPending} onClick={submit}>
        {mailbox.hasForwardingAddress ? 'Replace address' : 'Make address'}
      </Button>
    </>
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Forwarding address"
      context={mailbox.address}
      size={520}
      closesOnEscape={url === undefined}
      closesOnOutside={url === undefined}
      foot={foot}
    >
      {url ? (
        <div className={styles.address} role="status">
          <strong>Copy the address now. It is shown once.</strong>
          <span className={styles.url}>
            <code>{url}</code>
            <CopyButton text={url} label="Copy address" />
          </span>
          <p className={styles.hint}>Anyone who knows it can open tickets here. Keep it secret.</p>
        </div>
      ) : (
        <div className={styles.address}>
          <p>Your email provider posts each email to this address as it came, with its files.</p>
          <ul className={styles.providers}>
            <li>Mailgun: a route that forwards to the address.</li>
            <li>SendGrid: Inbound Parse with “POST the raw, full MIME message”.</li>
            <li>
              Your own mail server: a program that posts the email as <code>message/rfc822</code>.
            </li>
          </ul>
          {mailbox.hasForwardingAddress && <p>The address that you have now stops working. This cannot be undone.</p>}
        </div>
      )}
    </Dialog>
  )
}
