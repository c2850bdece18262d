import { federalHolidays } from '@limber/contract/kit/federal-holidays.ts'
import type { PromiseDraft } from '@limber/contract/support/promises/promise.ts'
import { DAY, shift } from '@limber/server/platform/clock.ts'
import { replayTickets } from '@limber/server/support/promises/keep-promises.ts'
import { insertSettings } from '@limber/server/support/promises/promise.queries.ts'
import { sql } from 'kysely'
import type { SeedContext } from '../seeder.ts'

const weekday = { from: '08:00', to: '18:00' }
const HOUR = 60
const BATCH_SIZE = 500
const SINCE = 340 * DAY

const targets: PromiseDraft['targets'] = {
  first: {
    high: { Platinum: 30, Gold: HOUR, Silver: HOUR, Bronze: 2 * HOUR },
    medium: { Platinum: HOUR, Gold: 2 * HOUR, Silver: 3 * HOUR, Bronze: 4 * HOUR },
    low: { Platinum: 4 * HOUR, Gold: 6 * HOUR, Silver: 8 * HOUR, Bronze: 8 * HOUR },
  },
  next: {
    high: { Platinum: HOUR, Gold: 2 * HOUR, Silver: 2 * HOUR, Bronze: 3 * HOUR },
    medium: { Platinum: 2 * HOUR, Gold: 3 * HOUR, Silver: 4 * HOUR, Bronze: 6 * HOUR },
    low: { Platinum: 6 * HOUR, Gold: 8 * HOUR, Silver: 8 * HOUR, Bronze: 12 * HOUR },
  },
}

/** Targets that the lead set a year ago, and what they made of each ticket. */
export async function seedPromises({ db, calendar }: SeedContext, [lead]: readonly number[]) {
  const { now } = calendar
  const since = shift(now, -SINCE)
  const year = now.getUTCFullYear()
  const draft: PromiseDraft = {
    week: [null, weekday, weekday, weekday, weekday, weekday, { from: '09:00', to: '13:00' }],
    holidays: [year, year + 1].flatMap(federalHolidays),
    targets,
  }
  const { rows } = await sql<{ time_zone: string }>`select time_zone from company`.execute(db)
  const timeZone = rows[0]?.time_zone ?? 'America/Los_Angeles'
  await insertSettings(db, draft, { version: 1, timeZone, workerId: lead ?? null, at: since })
  const tickets = await db.selectFrom('tickets').select('id').orderBy('id').execute()
  for (let at = 0; at < tickets.length; at += BATCH_SIZE)
    await replayTickets(
      db,
      tickets.slice(at, at + BATCH_SIZE).map(({ id }) => id),
      since,
      now,
    )
  // The sample company's workers were told.
  await sql`update ticket_promises set warned_at = soon_at where soon_at <= ${now}`.execute(db)
  await sql`update ticket_promises set escalated_at = due_at where due_at <= ${now}`.execute(db)
}
