import { addDays } from '@limber/contract/kit/days.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import {
  addEarner,
  type EarnerReply,
  listEarnerCandidates,
  listEarners,
  MAX_CANDIDATES,
  readEarner,
  recordProfile,
} from '@limber/contract/payroll/earners/earner.ts'
import type { Db } from '#platform/db/db.ts'
import { containing } from '#platform/db/like.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { yearOf } from '../audit/audit.rules.ts'
import { dayOf } from '../entries/period.rules.ts'
import { lockLedger } from '../lists/ledger.queries.ts'
import { findDuesOf, findSettlements } from '../runs/settlement.queries.ts'
import { presentDue, presentEarner, presentProfile } from './earner.present.ts'
import {
  findCandidates,
  findEarner,
  findEarnerPage,
  findNamedProfiles,
  findPerson,
  insertEarner,
  insertProfile,
} from './earner.queries.ts'
import { findYearToDate } from './year-to-date.ts'

const MAX_DAYS_BACK = 731
const MAX_DAYS_AHEAD = 366
const MAX_DUES = 20

async function show(db: Db, id: number, today: string): Promise<EarnerReply | undefined> {
  const earner = await findEarner(db, id)
  if (!earner) return undefined
  const profiles = await findNamedProfiles(db, [id])
  const dues = await findDuesOf(db, id, MAX_DUES)
  const settlements = await findSettlements(db, { dues: dues.map((due) => due.id) })
  return {
    ...presentEarner(earner, profiles, today),
    history: profiles.toReversed().map(presentProfile),
    dues: dues.map((due) => presentDue(due, settlements)),
    year_to_date: await findYearToDate(db, id, yearOf(today)),
  }
}

export const earnerRoutes = [
  serve(listEarners, async ({ query: { page, limit, search }, db, now }) => {
    const pattern = search === '' ? undefined : containing(search)
    const { total, rows } = await findEarnerPage(db, pattern, limit, (page - 1) * limit)
    const profiles = await findNamedProfiles(
      db,
      rows.map(({ id }) => id),
    )
    const profilesByEarner = Map.groupBy(profiles, ({ earner_id }) => earner_id)
    return {
      earners: rows.map((row) => presentEarner(row, profilesByEarner.get(row.id) ?? [], dayOf(now))),
      pagination: paginate(page, limit, total),
    }
  }),

  serve(listEarnerCandidates, async ({ query: { search }, db }) => ({
    candidates: await findCandidates(db, search === '' ? undefined : containing(search), MAX_CANDIDATES),
  })),

  serve(addEarner, async ({ body: { stretcher_id, worker_id }, db, now, audit, publish }) => {
    await lockLedger(db)
    const person = stretcher_id === undefined ? { worker_id: worker_id ?? 0 } : { stretcher_id }
    const found = await findPerson(db, person)
    if (!found) throw refuse(addEarner, 'unknown')
    if (found.earner_id !== null) throw refuse(addEarner, 'already', { values: { name: found.name } })
    const { id } = await insertEarner(db, person, now)
    audit({ action: 'payroll.earner_added', subject: 'earner', subjectId: id, after: person })
    publish('payroll', { earnerId: id })
    const earner = await show(db, id, dayOf(now))
    if (!earner) throw new Error('The earner does not exist')
    return earner
  }),

  serve(readEarner, async ({ params: { id }, db, now }) => {
    const earner = await show(db, id, dayOf(now))
    if (!earner) throw refuse(readEarner, 'unknown')
    return earner
  }),

  serve(recordProfile, async ({ params: { id }, body, db, worker, now, audit, publish }) => {
    await lockLedger(db)
    const today = dayOf(now)
    const before = await show(db, id, today)
    if (!before) throw refuse(recordProfile, 'unknown')
    if (body.effective_from < addDays(today, -MAX_DAYS_BACK) || body.effective_from > addDays(today, MAX_DAYS_AHEAD))
      throw refuse(recordProfile, 'out_of_range')
    await insertProfile(db, id, body, worker.workerId, now)
    audit({
      action: 'payroll.profile_recorded',
      subject: 'earner',
      subjectId: id,
      after: { from: body.effective_from },
    })
    publish('payroll', { earnerId: id })
    const after = await show(db, id, today)
    if (!after) throw new Error('The earner no longer exists')
    return after
  }),
]
