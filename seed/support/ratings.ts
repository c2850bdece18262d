import { DAY, HOUR, shift } from '@limber/server/platform/clock.ts'
import { sql } from 'kysely'
import type { SeedContext } from '../seeder.ts'

const SINCE = 330 * DAY
const praise = [
  'Quick, kind, and it was made right. Thank you!',
  'Fast answer.',
  'Everything is solved, thanks.',
  null,
  null,
]
const blame = ['I had to ask twice.', 'It took too long.', null]

/** What customers said about closed tickets; some did not answer. */
export async function seedRatings({ db, calendar, copy, random: makeRandom }: SeedContext, [lead]: readonly number[]) {
  const random = makeRandom('support/ratings')
  const { now } = calendar
  await sql`update rating_settings set is_on = true, since = ${shift(now, -SINCE)}, changed_by = ${lead ?? null}, version = 1`.execute(
    db,
  )
  const { rows } = await sql<{ id: number; closed_at: Date; is_late: boolean }>`
    select x.ticket_id as id, x.closed_at,
      exists (select from ticket_promises p where p.ticket_id = x.ticket_id and p.outcome = 'missed') as is_late
    from ticket_times x where x.closed_at is not null and x.first_reply_at is not null and x.closed_at <= ${shift(now, -HOUR)}
    order by x.ticket_id`.execute(db)
  const ratings = rows
    .filter(({ closed_at }) => closed_at > shift(now, -SINCE))
    .map(({ id, closed_at, is_late }) => {
      const asked = shift(closed_at, HOUR)
      const rated = shift(asked, random.between(0.1, 30) * HOUR)
      const isRated = random.chance(0.45) && rated < now
      const isGood = random.chance(is_late ? 0.6 : 0.92)
      return {
        ticket_id: id,
        created_at: asked,
        asked_at: asked,
        outbox_key: `ticket-rating-${id}`,
        rating: isRated ? (isGood ? 'good' : 'bad') : null,
        comment: isRated ? random.pick(isGood ? praise : blame) : null,
        rated_at: isRated ? rated : null,
      }
    })
  await copy('ticket_ratings', ratings)
  await copy(
    'ticket_events',
    ratings.map(({ ticket_id, asked_at }) => ({
      ticket_id,
      kind: 'rating',
      text: 'Satisfaction email sent',
      created_at: asked_at,
    })),
  )
}
