import type { TicketEmail } from '@limber/contract/support/tickets/ticket.ts'
import { IconShieldCheck } from '@tabler/icons-react'
import { PlainText } from '#support/thread.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './message-email.module.css'

const kinds = { auto_reply: 'Automatic reply', bounce: 'Returned email', unreadable: 'Not readable' } as const

const checks = ['dmarc', 'dkim', 'spf'] as const

/** Which checks of the sender failed. A passed DMARC check includes one of the others. */
const failedOf = (email: TicketEmail) =>
  email.dmarc === 'pass' ? [] : checks.filter((name) => email[name] === 'fail').map((name) => name.toUpperCase())

/** The text of an email with what the reader should know about it. */
export default function MessageEmail({ email, children }: { email: TicketEmail; children: string }) {
  const { kind, isSpam, dmarc, quoted } = email
  const failed = failedOf(email)
  const lines = quoted === '' ? 0 : quoted.split('\n').length
  return (
    <>
      {failed.length > 0 && (
        <p className={styles.warning}>The sender could not be verified ({failed.join(', ')} failed).</p>
      )}
      {(kind !== 'message' || isSpam || dmarc === 'pass') && (
        <p className={styles.badges}>
          {kind !== 'message' && (
            <StatusBadge meaning={kind === 'auto_reply' ? 'plain' : 'amber'} hasDot={false}>
              {kinds[kind]}
            </StatusBadge>
          )}
          {isSpam && (
            <StatusBadge meaning="red" hasDot={false}>
              Spam
            </StatusBadge>
          )}
          {dmarc === 'pass' && (
            <span className={styles.verified}>
              <Icon of={IconShieldCheck} size={14} /> Verified sender
            </span>
          )}
        </p>
      )}
      <PlainText>{children}</PlainText>
      {lines > 0 && (
        <details className={styles.quoted}>
          <summary>Quoted: {lines === 1 ? '1 line' : `${lines} lines`}</summary>
          <PlainText>{quoted}</PlainText>
        </details>
      )}
    </>
  )
}
