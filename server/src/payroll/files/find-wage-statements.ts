import type { WageStatement } from '@limber/contract/payroll/files/wage-statement.ts'
import { writeDollars } from '@limber/contract/payroll/values.ts'
import type { Db } from '#platform/db/db.ts'
import { findPeriods, findProfiles, findYearOfEarners } from '../audit/audit.queries.ts'
import { groupEntries } from '../audit/audit.rules.ts'
import { toPaidElsewhere, toPaidEntry } from '../audit/run-audit.ts'
import { taxProfileOf } from '../audit/tax-profile.ts'
import { effectiveOn } from '../entries/effective.rules.ts'
import { findHistoryWages } from '../history/history.queries.ts'
import { tablesOf } from '../tax/tables.rules.ts'
import { type Boxes, boxesOf } from './wage-statement.rules.ts'

export interface Earner {
  id: number
  name: string
}

export interface StatementOfEarner extends Boxes {
  earner: Earner
  wagesElsewhere: bigint
}

/** The W-2 figures of earners in a year. */
export async function findWageStatements(
  db: Db,
  year: number,
  earners: readonly Earner[],
): Promise<StatementOfEarner[]> {
  const { socialSecurity } = tablesOf(year)
  const ids = earners.map(({ id }) => id)
  const [rows, elsewhere, profiles, periods] = await Promise.all([
    findYearOfEarners(db, ids, `${year}-12-31`),
    findHistoryWages(db, { startDate: `${year}-01-01`, endDate: `${year}-12-31` }),
    findProfiles(db),
    findPeriods(db),
  ])
  const frequencies = new Map(periods.map(({ id, frequency }) => [id, frequency]))
  const byEarner = <R extends { earner_id: number }>(list: readonly R[]) =>
    Map.groupBy(list, ({ earner_id }) => earner_id)
  const [entries, history, forms] = [byEarner(rows), byEarner(elsewhere), byEarner(profiles)]
  return earners.map((earner) => {
    const own = (history.get(earner.id) ?? []).map(toPaidElsewhere)
    const groups = groupEntries((entries.get(earner.id) ?? []).map(toPaidEntry), { year, wages: 0n }, own)
    const boxes = boxesOf(
      groups,
      ({ payDate, periodId }) => ({
        taxProfile: taxProfileOf(effectiveOn(forms.get(earner.id) ?? [], payDate)),
        frequency: frequencies.get(periodId) ?? 'biweekly',
        // The employer's rate does not change what is withheld.
        uiRate: 0n,
      }),
      socialSecurity.wageBase,
    )
    return { earner, ...boxes, wagesElsewhere: own.reduce((sum, { wages }) => sum + wages, 0n) }
  })
}

export const presentStatement = ({ earner, totals, difference, wagesElsewhere }: StatementOfEarner): WageStatement => ({
  earner_id: earner.id,
  earner_name: earner.name,
  box1: writeDollars(totals.box1),
  box2: writeDollars(totals.box2),
  box3: writeDollars(totals.box3),
  box4: writeDollars(totals.box4),
  box5: writeDollars(totals.box5),
  box6: writeDollars(totals.box6),
  box16: writeDollars(totals.box16),
  box17: writeDollars(totals.box17),
  sdi: writeDollars(totals.sdi),
  difference: writeDollars(difference),
  wages_elsewhere: writeDollars(wagesElsewhere),
})
