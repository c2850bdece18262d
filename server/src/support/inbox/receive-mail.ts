import { MAX_MESSAGE_LENGTH } from '@limber/contract/support/tickets/ticket.ts'
import { DAY, shift } from '#platform/clock.ts'
import type { Work } from '#platform/db/work.ts'
import { suppress } from '#platform/mail/suppressions.ts'
import type { Services } from '#platform/services.ts'
import { assignTickets } from '../assignment/assign-tickets.ts'
import { handOverReply } from '../assignment/hand-over.ts'
import { openRecipient } from '../email-log/email-log.seal.ts'
import { insertMessageFiles, type NewFile } from '../files/ticket-file.queries.ts'
import { placeReply } from '../related/follow-up.ts'
import { emailSubject, threadHeaders } from '../tickets/ticket.rules.ts'
import {
  findBouncedTicket,
  findRecipient,
  findRepliedTicket,
  hasOtherTicketSince,
  insertInboundMessage,
  insertInboundTicket,
  insertTicketEmail,
  isFreeKey,
  isKnownSender,
  linkMail,
  linkTicket,
  takeMail,
} from './inbound.queries.ts'
import { referencesOf, ticketSubject } from './inbound.rules.ts'
import type { ParsedMail } from './parse-mail.ts'
import { sendCustomerEmail } from './send-customer-email.ts'

type Needs = Pick<Services, 'company' | 'config' | 'keyring'>
type MailWork = Pick<Work, 'db' | 'now' | 'audit' | 'publish' | 'enqueue'>

export interface ReceivingMailbox {
  id: number
  address: string
  confirms: boolean
}

/** A day without a second confirmation to the same sender ends a loop between two programs that answer each other. */
const CONFIRM_AGAIN = DAY

const CUT = '\n\n[This message is longer. It ends here.]'
const NO_TEXT = '(no text)'

function contentOf({ content }: ParsedMail): string {
  if (content === '') return NO_TEXT
  return content.length <= MAX_MESSAGE_LENGTH
    ? content
    : content.slice(0, MAX_MESSAGE_LENGTH - CUT.length).toWellFormed() + CUT
}

/** The ticket that an email belongs to: the one that it answers, or the one whose reply came back. */
async function findTicket({ db, now }: MailWork, { keyring }: Needs, mail: ParsedMail): Promise<number | undefined> {
  if (mail.bounce?.messageId) {
    const references = referencesOf('', [mail.bounce.messageId])
    const bounced = await findBouncedTicket(db, references)
    if (bounced && mail.bounce.isPermanent) {
      const sealed = await findRecipient(db, references)
      const address = sealed ? openRecipient(keyring, sealed) : bounced.customer_email
      const reason = { channel: 'mail', reason: 'hard_bounce', source: 'mailbox' } as const
      await suppress(db, address, reason, now)
    }
    if (bounced) return bounced.id
  }
  return findRepliedTicket(db, referencesOf(mail.subject, mail.references), mail.from)
}

/** Puts an email into its ticket or a new one, once. Returns the ticket; undefined for an email that is there already. */
export async function receiveMail(
  work: MailWork,
  services: Needs,
  mailbox: ReceivingMailbox,
  mail: ParsedMail,
  files: readonly NewFile[] = [],
): Promise<number | undefined> {
  const { db, now, publish } = work
  if (!(await takeMail(db, mailbox.id, mail.digest, now))) return undefined
  const answered = await findTicket(work, services, mail)
  // A program's email does not start a follow-up.
  const place = answered !== undefined && mail.kind === 'message' ? await placeReply(db, answered, now) : undefined
  const replied = place?.id ?? answered
  const isNew = replied === undefined || place?.old !== undefined
  const isUnwanted = mail.isSpam && replied === undefined && !(await isKnownSender(db, mail.from))
  const ticketId = replied ?? (await insertInboundTicket(db, mail.from, ticketSubject(mail.subject), now))
  if (replied === undefined) await linkTicket(db, ticketId, mailbox.id)
  const key = mail.messageId && (await isFreeKey(db, mail.messageId)) ? mail.messageId : null
  // Nobody waits for an answer to an auto-reply or to spam.
  const isSilent = mail.kind === 'auto_reply' || isUnwanted
  const sender = mail.kind === 'message' && !isUnwanted ? mail.from : null
  const draft = { ticketId, content: contentOf(mail), sender, key, isSilent, isClosing: isUnwanted }
  const messageId = await insertInboundMessage(db, draft, now)
  await linkMail(db, mailbox.id, mail.digest, messageId)
  await insertTicketEmail(db, messageId, mail)
  await insertMessageFiles(db, messageId, files, now)
  if (isNew && mailbox.confirms && mail.mayConfirm && !mail.isSpam)
    await confirm(work, services, mailbox, mail, ticketId)
  if (!isSilent) await (isNew ? assignTickets(work, [ticketId]) : handOverReply(work, ticketId))
  publish('tickets', { ticket: ticketId })
  if (place?.old !== undefined) publish('tickets', { ticket: place.old })
  return ticketId
}

/** Tells the sender that a ticket was opened. No confirmation answers a program, and none answers us. */
async function confirm(
  work: MailWork,
  services: Needs,
  mailbox: ReceivingMailbox,
  { from, subject, messageId }: ParsedMail,
  ticketId: number,
) {
  const { db, now } = work
  if (await hasOtherTicketSince(db, { from, ticketId, since: shift(now, -CONFIRM_AGAIN) })) return
  await sendCustomerEmail(work, services, {
    key: `ticket-opened-${ticketId}`,
    type: 'ticket_confirmation',
    customerId: null,
    about: `ticket ${ticketId}: confirmation`,
    to: from,
    subject: emailSubject({ id: ticketId, subject: ticketSubject(subject) }, true),
    text: 'We have received your request and will reply to this email.',
    mailbox: mailbox.id,
    headers: {
      ...threadHeaders(messageId ? [messageId] : []),
      'Auto-Submitted': 'auto-replied',
      'X-Auto-Response-Suppress': 'All',
    },
  })
}
