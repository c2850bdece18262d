import { ASK_AFTER_MINUTES } from '@limber/contract/support/ratings/rating.ts'
import { DAY, MINUTE, shift } from '#platform/clock.ts'
import { runWork } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import { composeBulk } from '../inbox/email-html.rules.ts'
import { sendBulkEmail } from '../notifications/send-bulk-email.ts'
import {
  type ClosedTicket,
  findRatingSettings,
  insertAskedEvents,
  insertRatings,
  takeClosed,
} from './rating.queries.ts'
import { ratingMail } from './rating.rules.ts'
import { ratingToken, ratingUrl } from './rating-link.ts'

const BATCH_SIZE = 100
const MAX_BATCHES = 50
/** After a long standstill, old tickets are not asked about. */
const TOO_OLD = 2 * DAY

const keyOf = ({ id }: ClosedTicket) => `ticket-rating-${id}`

/** Asks customers about tickets that were closed an hour ago and stayed closed. Each ticket is considered once. */
export async function askForRatings(services: Services) {
  let asked = 0
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const found = await runWork(services, { call: 'schedule ask-for-ratings' }, async (work) => {
      const { db, now, publish } = work
      const { since } = await findRatingSettings(db)
      if (!since) return 0
      const from = new Date(Math.max(since.getTime(), shift(now, -TOO_OLD).getTime()))
      const tickets = await takeClosed(db, { from, to: shift(now, -ASK_AFTER_MINUTES * MINUTE) }, BATCH_SIZE)
      const fresh = await insertRatings(
        db,
        tickets.map((one) => ({ ticketId: one.id, key: one.may_ask ? keyOf(one) : null })),
        now,
      )
      const people = tickets
        .filter((one) => one.may_ask && fresh.has(one.id))
        .map((one) => ({
          key: keyOf(one),
          to: one.customer_email,
          customerId: one.customer_id,
          ticket: { id: one.id, subject: one.subject, firstName: one.first_name },
          token: ratingToken(services.keyring, { ticketId: one.id, askedAt: now }),
        }))
      await sendBulkEmail(work, services, {
        type: 'rating',
        about: 'rating of a ticket',
        people,
        compose: ({ ticket, token }, footer) => {
          const url = (choice: 'good' | 'bad') => ratingUrl(services.config.publicUrl, token, choice)
          const { subject, ...words } = ratingMail(ticket, { good: url('good'), bad: url('bad') })
          return { subject, ...composeBulk(words, footer) }
        },
        secretOf: ({ token }) => token,
      })
      const ids = people.map(({ ticket }) => ticket.id)
      await insertAskedEvents(db, ids, now)
      for (const id of ids) publish('tickets', { ticket: id })
      asked += ids.length
      return tickets.length
    })
    if (found < BATCH_SIZE) break
  }
  return { asked }
}
