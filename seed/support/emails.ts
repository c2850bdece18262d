import type { EmailType } from '@limber/contract/support/email-log/email-log.ts'
import { sealEmail } from '@limber/server/support/email-log/email-log.seal.ts'
import { textToHtml } from '@limber/server/support/inbox/email-html.rules.ts'
import type { SeedContext } from '../seeder.ts'
import type { Person } from './tickets.ts'

const EMAILS = 2000

const templates: readonly { type: EmailType; subject: string; text: string; weight: number }[] = [
  {
    type: 'booking',
    subject: 'Your session is confirmed',
    text: 'See you soon. You can reschedule up to 24 hours before it starts.',
    weight: 40,
  },
  { type: 'receipt', subject: 'Your receipt', text: 'Thank you. Your credits are in your account.', weight: 20 },
  {
    type: 'notification',
    subject: 'New times in your zone',
    text: 'New session times are available this week.',
    weight: 16,
  },
  {
    type: 'ticket_confirmation',
    subject: 'We received your request',
    text: 'We will reply to this email.',
    weight: 10,
  },
  {
    type: 'ticket_reply',
    subject: 'Re: Your request',
    text: 'I added one credit back to your account.',
    weight: 10,
  },
  {
    type: 'verification',
    subject: 'Please verify your email address',
    text: 'Open the app and select Verify email.',
    weight: 4,
  },
]
const weights = templates.map(({ weight }) => weight)

/** Emails to customers, encrypted with the key of the installation. */
export async function seedEmails(context: SeedContext, people: readonly Person[]) {
  const random = context.random('support/emails')
  const { now } = context.calendar
  const rows = Array.from({ length: EMAILS }, () => {
    const person = random.pick(people)
    const template = templates[random.weighted(weights)] ?? random.pick(templates)
    const text = `Hello ${person.first_name},\n\n${template.text}`
    return {
      customer_id: person.id,
      from_address: 'Limber <no-reply@example.com>',
      ...sealEmail(context.keyring, person.email, { text, html: textToHtml(text) }),
      subject: template.subject,
      type: template.type,
      created_at: new Date(random.between(person.joined_at.getTime(), now.getTime())),
    }
  })
  await context.copy(
    'email_logs',
    rows.sort((a, b) => a.created_at.getTime() - b.created_at.getTime()),
  )
}
