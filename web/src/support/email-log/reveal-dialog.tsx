import type { ReplyOf } from '@limber/contract/kit/call.ts'
import { type EmailLog, revealEmail } from '@limber/contract/support/email-log/email-log.ts'
import { Button } from '@mantine/core'
import { useRef, useState } from 'react'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { AreaField } from '#ui/form/fields.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { useReveal } from './email-log.api.ts'
import styles from './email-logs.module.css'

type Revealed = ReplyOf<typeof revealEmail>

function Opened({ log, mail, onClose }: { log: EmailLog; mail: Revealed; onClose: () => void }) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={log.subject}
      context="This access is recorded in the audit log."
      size={640}
      foot={
        <Button data-autofocus onClick={onClose}>
          Done
        </Button>
      }
    >
      <div className={styles.mail}>
        <Facts>
          <Facts.Row label="From">{log.from_address}</Facts.Row>
          <Facts.Row label="To">{mail.to_address}</Facts.Row>
          <Facts.Row label="Sent">
            <Moment at={log.createdAt} />
          </Facts.Row>
        </Facts>
        <p className={styles.text}>{mail.text}</p>
        {mail.html && (
          <details>
            <summary className={styles.summary}>HTML source</summary>
            <pre className={styles.source}>{mail.html}</pre>
          </details>
        )}
      </div>
    </Dialog>
  )
}

/** Reveals one email after a reason and a passkey. */
export default function RevealDialog({ log, onClose }: { log: EmailLog; onClose: () => void }) {
  const reveal = useReveal(log.id)
  const [mail, setMail] = useState<Revealed>()
  // FormDialog closes itself on success; here the revealed email replaces it instead.
  const isRevealed = useRef(false)
  if (mail) return <Opened log={log} mail={mail} onClose={onClose} />
  return (
    <FormDialog
      isOpen
      onClose={() => isRevealed.current || onClose()}
      title="Reveal this email?"
      context={`${log.subject}. You confirm with your passkey. The audit log records your reason.`}
      submit="Reveal"
      schema={revealEmail.body}
      mutation={{
        mutateAsync: async (body) => {
          setMail(await reveal.mutateAsync(body))
          isRevealed.current = true
        },
      }}
    >
      <AreaField label="Reason" name="reason" rows={2} />
    </FormDialog>
  )
}
