import type { ReplyOf } from '@limber/contract/kit/call.ts'
import { type EmailLog, revealEmail } from '@limber/contract/support/email-log/email-log.ts'
import { CloseButton } from '@mantine/core'
import { useState } from 'react'
import { Banner } from '#ui/feedback/banner.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { AreaField } from '#ui/form/fields.tsx'
import { Form } from '#ui/form/form.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { useReveal } from './email-log.api.ts'
import styles from './email-logs.module.css'
import { deliveryLabels, deliveryMeaning, recipientText, typeSentences } from './labels.ts'

type Revealed = ReplyOf<typeof revealEmail>

/** What became of the email, as a sentence. */
function Delivery({ log: { delivery, createdAt, type } }: { log: EmailLog }) {
  const at = <Moment key={createdAt} at={createdAt} />
  const what = typeSentences[type]
  if (delivery === 'sent')
    return (
      <>
        {what} was sent on {at}. The mail server accepted it.
      </>
    )
  if (delivery === 'waiting')
    return (
      <>
        {what} has been waiting to be sent since {at}.
      </>
    )
  return (
    <>
      {what} of {at} could not be delivered, and is not tried again.
    </>
  )
}

function Content({ mail }: { mail: Revealed }) {
  return (
    <>
      <p className={styles.text}>{mail.text}</p>
      {mail.html && (
        <details>
          <summary className={styles.summary}>HTML source</summary>
          <pre className={styles.source}>{mail.html}</pre>
        </details>
      )}
      <p className={styles.hint}>This access is recorded in the audit log.</p>
    </>
  )
}

interface BodyProps {
  log: EmailLog
}

/** One email: what became of it and, after a reason and a passkey, its recipient and content. */
export function EmailBody({ log }: BodyProps) {
  const reveal = useReveal(log.id)
  const [mail, setMail] = useState<Revealed>()
  return (
    <div className={styles.mail}>
      {log.delivery === 'failed' ? (
        <Banner kind="red">
          <Delivery log={log} />
        </Banner>
      ) : (
        <p className={styles.said}>
          <Delivery log={log} />
        </p>
      )}
      <Facts>
        <Facts.Row label="From">{log.from_address}</Facts.Row>
        <Facts.Row label="To">{mail?.to_address ?? recipientText(log)}</Facts.Row>
      </Facts>
      {mail ? (
        <Content mail={mail} />
      ) : log.iv_html_content ? (
        <section aria-label="Reveal this email">
          <p className={styles.said}>
            Recipient and content are encrypted. You confirm with your passkey, and the audit log records your reason.
          </p>
          <Form
            schema={revealEmail.body}
            mutation={{ mutateAsync: async (body) => setMail(await reveal.mutateAsync(body)) }}
            submit="Reveal"
          >
            <AreaField label="Reason" name="reason" rows={2} />
          </Form>
        </section>
      ) : (
        <p className={styles.said}>Recipient and content were erased together with the customer.</p>
      )}
    </div>
  )
}

/** The open email beside the list. */
export function EmailPane({ log, onClose }: { log: EmailLog; onClose: () => void }) {
  return (
    <section className={styles.pane} aria-label={log.subject}>
      <div className={styles.paneHead}>
        <h2>{log.subject}</h2>
        <StatusBadge meaning={deliveryMeaning[log.delivery]}>{deliveryLabels[log.delivery]}</StatusBadge>
        <CloseButton aria-label="Close email" size={32} onClick={onClose} />
      </div>
      <EmailBody log={log} />
    </section>
  )
}
