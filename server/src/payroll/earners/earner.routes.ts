import { addDays } from '@limber/contract/kit/days.ts'
import { paginate } from '@limber/contract/kit/page.ts'
import { type EarnerReply, listEarners, readEarner, recordProfile } from '@limber/contract/payroll/earners/earner.ts'
import type { Db } from '#platform/db/db.ts'
import { containing } from '#platform/db/like.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { dayOf } from '../entries/period.rules.ts'
import { lockLedger } from '../lists/ledger.queries.ts'
import { findDuesOf, findSettlements } from '../runs/settlement.queries.ts'
import { presentDue, presentEarner, presentProfile } from './earner.present.ts'
import { findEarner, findEarnerPage, findNamedProfiles, insertProfile } from './earner.queries.ts'

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
