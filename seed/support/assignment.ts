import { companyDay } from '@limber/contract/kit/company.ts'
import { addDays } from '@limber/contract/kit/days.ts'
import { makeAbsence, makeRoundRobin } from '@limber/server/support/assignment/assignment.factory.ts'
import type { SeedContext } from '../seeder.ts'

/** Round robin of the desk, set up but off, and the planned days of one agent. The first of the staff is the lead. */
export async function seedAssignment({ db, calendar }: SeedContext, [lead, ...agents]: readonly number[]) {
  const [first, second = lead] = agents
  if (lead === undefined || first === undefined) return
  await makeRoundRobin(db, { members: agents, is_on: false, changed_at: calendar.now })
  const day = companyDay(calendar.now)
  await makeAbsence(db, {
    worker_id: first,
    substitute_id: second ?? null,
    starts_on: addDays(day, 6),
    ends_on: addDays(day, 10),
    created_at: calendar.now,
  })
}
