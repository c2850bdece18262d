import { formatMoment } from '@limber/contract/kit/formats/dates.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { OutboxMessage } from '#platform/db/work.ts'
import type { Mail } from '#platform/mail/mail.ts'
import type { Services } from '#platform/services.ts'
import type { DueRow } from './promise.queries.ts'

interface Person {
  id: number
  name: string
  email: string
}

const MAX_LISTED = 20

// Without the subject and the customer: these emails are outside the product, where erasure does not reach.
const lineOf = (origin: string, { ticket_id, rank, priority, due_at }: DueRow) =>
  `#${ticket_id}, ${rank}, ${priority} priority, due ${formatMoment(due_at)}\n${origin}/support/tickets?ticket=${ticket_id}`

function compose(
  what: 'soon' | 'late',
  { config }: Pick<Services, 'config'>,
  to: Person,
  due: readonly DueRow[],
): Mail {
  const count = pluralize(due.length, 'ticket')
  const needs = due.length === 1 ? 'needs' : 'need'
  const listed = due.toSorted((a, b) => a.due_at.getTime() - b.due_at.getTime()).slice(0, MAX_LISTED)
  const rest = due.length - listed.length
  return {
    to: to.email,
    subject:
      what === 'soon'
        ? `${count} ${needs} a response soon`
        : `${count} ${needs} a response: the promised time has passed`,
    text: [
      `Hi ${to.name},`,
      '',
      what === 'soon'
        ? `${count} ${needs} a response soon:`
        : `${count} ${needs} a response. The time that we promise our customers has passed:`,
      '',
      ...listed.map((one) => `${lineOf(config.publicUrl, one)}\n`),
      ...(rest > 0 ? [`And ${rest} more: ${config.publicUrl}/support/tickets?queue=breaching`, ''] : []),
      'Limber',
    ].join('\n'),
  }
}

const messageOf =
  (what: 'soon' | 'late') =>
  (services: Pick<Services, 'config'>, to: Person, due: readonly DueRow[]): OutboxMessage => ({
    channel: 'mail',
    // A promise is announced once, so its id is in one email for each person.
    key: `promise-${what}:${to.id}:${Math.min(...due.map(({ id }) => id))}`,
    about: `promises ${what}: worker ${to.id}`,
    payload: compose(what, services, to, due),
  })

/** Emails to workers about promises that are soon due or late. */
export const promiseMails = { soon: messageOf('soon'), late: messageOf('late') }
