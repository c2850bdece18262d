import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { HOUR, shift } from '@limber/server/platform/clock.ts'
import { makeLink, makeTask, makeWatcher } from '@limber/server/support/related/related.factory.ts'
import { sql } from 'kysely'
import type { SeedContext } from '../seeder.ts'

const TASKS = 4
const LINKS = 6
const WATCHED = 5

/** Call-backs, links between tickets of one customer, and what the lead watches. The first of the staff is the lead. */
export async function seedRelated({ db, calendar }: SeedContext, staff: readonly number[]) {
  const [lead] = staff
  if (lead === undefined) return
  const { now } = calendar
  const today = companyDay(now)
  const { rows: mine } = await sql<{ id: number; assignee_id: number }>`
    select id, assignee_id from tickets where status = 'in_progress' and assignee_id is not null
    order by updated_at desc limit ${TASKS}`.execute(db)
  for (const [place, { id, assignee_id }] of mine.entries())
    await makeTask(db, {
      ticket_id: id,
      worker_id: assignee_id,
      due_on: addDays(today, place - 1),
      created_at: shift(now, -30 * HOUR),
    })
  const { rows: pairs } = await sql<{ from_id: number; to_id: number }>`
    select a.id as from_id, b.id as to_id from tickets b
    cross join lateral (select id from tickets a where a.customer_id = b.customer_id and a.id < b.id order by a.id desc limit 1) a
    where b.status <> 'closed' order by b.updated_at desc limit ${LINKS}`.execute(db)
  for (const pair of pairs) await makeLink(db, { ...pair, created_by: lead, created_at: shift(now, -20 * HOUR) })
  const { rows: watched } = await sql<{ id: number }>`
    select id from tickets where status <> 'closed' and priority = 'high' order by updated_at desc limit ${WATCHED}`.execute(
    db,
  )
  for (const { id } of watched)
    await makeWatcher(db, {
      ticket_id: id,
      worker_id: lead,
      created_at: shift(now, -20 * HOUR),
      seen_at: shift(now, -6 * HOUR),
    })
}
