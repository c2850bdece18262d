import type { TicketFile } from '@limber/contract/support/files/ticket-file.ts'
import type { TicketEmail } from '@limber/contract/support/tickets/ticket.ts'
import { IconShieldCheck } from '@tabler/icons-react'
import { useState } from 'react'
import MessageFiles, { FilePicture, isPicture, usePreview } from '#support/files/message-files.tsx'
import MessageHtml from '#support/files/message-html.tsx'
import { PlainText } from '#support/thread.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './message-email.module.css'

const kinds = { auto_reply: 'Automatic reply', bounce: 'Returned email', unreadable: 'Not readable' } as const

const checks = ['dmarc', 'dkim', 'spf'] as const

/** Which checks of the sender failed. A passed DMARC check includes one of the others. */
const failedOf = (email: TicketEmail) =>
  email.dmarc === 'pass' ? [] : checks.filter((name) => email[name] === 'fail').map((name) => name.toUpperCase())

/** `[image: photo.png]` and `[cid:photo.png@01D]`, as mail programs write a picture in plain text. */
const PLACE = /\[(?:image|cid):\s?([^\]@]{1,200})[^\]]{0,200}\]/g

/** Which pictures a text shows in place, by the text that stands for them. */
function picturesIn(text: string, files: readonly TicketFile[]) {
  const places = [...text.matchAll(PLACE)].flatMap(({ index, 0: mark, 1: name }) => {
    const file = files.find((each) => isPicture(each) && each.filename === name)
    return file ? [{ start: index, end: index + mark.length, file }] : []
  })
  const parts: (string | TicketFile)[] = []
  let at = 0
  for (const { start, end, file } of places) {
    parts.push(text.slice(at, start).trim(), file)
    at = end
  }
  return [...parts, text.slice(at).trim()].filter((part) => part !== '')
}

interface Props {
  ticketId: number
  messageId: number
  email: TicketEmail
  files: readonly TicketFile[]
  children: string
}

/** The text of an email with its pictures in place. */
function PlacedText({ children, files }: { children: string; files: readonly TicketFile[] }) {
  const preview = usePreview()
  const parts = picturesIn(children, files)
  return (
    <>
      {parts.map((part, place) =>
        typeof part === 'string' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
          <PlainText key={place}>{part}</PlainText>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
          <FilePicture key={place} file={part} onOpen={() => preview.open(part)} />
        ),
      )}
      {preview.layer}
    </>
  )
}

/** An email with what the reader should know about it. */
export default function MessageEmail({ ticketId, messageId, email, files, children }: Props) {
  const { kind, isSpam, dmarc, quoted, html } = email
  const [isHtml, setHtml] = useState(html?.isOnly ?? false)
  const failed = failedOf(email)
  const lines = quoted === '' ? 0 : quoted.split('\n').length
  const inText = picturesIn(children, files)
  // The HTML shows its own pictures; the text shows those that it names.
  const below = files.filter((file) => (isHtml ? file.role !== 'inline' || !isPicture(file) : !inText.includes(file)))
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
      {isHtml && html ? (
        <MessageHtml ticketId={ticketId} messageId={messageId} html={html} />
      ) : (
        <>
          <PlacedText files={files}>{children}</PlacedText>
          {lines > 0 && (
            <details className={styles.quoted}>
              <summary>Quoted: {lines === 1 ? '1 line' : `${lines} lines`}</summary>
              <PlainText>{quoted}</PlainText>
            </details>
          )}
        </>
      )}
      {below.length > 0 && <MessageFiles files={below} />}
      {html && (
        <button type="button" className={styles.view} onClick={() => setHtml(!isHtml)}>
          {isHtml ? 'Show as text' : 'Show with formatting'}
        </button>
      )}
    </>
  )
}
