import { DAY, shift } from '@limber/server/platform/clock.ts'
import { sql } from 'kysely'
import type { SeedContext } from '../seeder.ts'
import { userNotes } from './threads.ts'
import type { Person } from './tickets.ts'

const kinds = [
  { reward_type: 'Free session', details: 'Ten completed sessions', points: 1000 },
  { reward_type: '$20 off', details: 'Toward the next credit pack', points: 400 },
  { reward_type: 'Guest pass', details: 'Bring a friend to one session', points: 600 },
  { reward_type: 'Foam roller', details: 'Shipped to the address on the account', points: 1500 },
]

/** Notes about customers, and rewards that they earned or redeemed. */
export async function seedRecords(context: SeedContext, people: readonly Person[], staff: readonly number[]) {
  const random = context.random('support/records')
  const { now } = context.calendar
  const notes: object[] = []
  const rewards: object[] = []
  const within = (from: Date) => new Date(random.between(from.getTime(), now.getTime()))
  for (const { id, joined_at } of people) {
    if (random.chance(0.25))
      notes.push({
        customer_id: id,
        worker_id: random.pick(staff),
        note: random.pick(userNotes),
        created_at: within(joined_at),
      })
    for (let n = random.weighted([5, 4, 2]); n > 0; n--) {
      const earned_at = within(joined_at)
      const redeemed_at = random.chance(0.5) ? within(earned_at) : null
      rewards.push({
        customer_id: id,
        ...random.pick(kinds),
        earned_at,
        expires_at: random.chance(0.7) ? shift(earned_at, 180 * DAY) : null,
        redeemed_at,
      })
    }
  }
  await context.copy('customer_notes', notes)
  await context.copy('rewards', rewards)
  await sql`update bookings set rating_attributes = case
      when rating >= 4 then (array['{On time,Listened}', '{Right pressure}', '{Friendly,Explained well}', '{On time,Right pressure}'])[1 + id % 4]
      when rating = 3 then (array['{Friendly}', '{On time}'])[1 + id % 2]
      else (array['{Late}', '{Too much pressure}', '{Rushed}'])[1 + id % 3] end::text[]
    where rating is not null and id % 3 > 0`.execute(context.db)
}
