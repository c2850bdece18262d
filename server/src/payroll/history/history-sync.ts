import type { ItemError } from '@limber/contract/kit/batch.ts'
import { parseMoney } from '@limber/contract/kit/money.ts'
import { HistoryItem, historyCalls, voidHistory } from '@limber/contract/payroll/history/history-sync.ts'
import { isWage } from '@limber/contract/payroll/values.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import type { BatchItem, BatchWriter, ItemOutcome } from '#platform/sync/batch-writer.ts'
import { findExternalIds, findReferenced, refKey } from '#platform/sync/external-refs.queries.ts'
import { invalid, itemError, missingWorker, reject } from '#platform/sync/item-errors.ts'
import { attachRoute, batchRoute, readRoutes } from '#platform/sync/resource-routes.ts'
import { yearOf } from '../audit/audit.rules.ts'
import { dayOf } from '../entries/period.rules.ts'
import { ensureEarners } from '../entries/session-pay.queries.ts'
import { lockLedger } from '../lists/ledger.queries.ts'
import {
  ensureWorkerEarners,
  findCountedLine,
  findCountedLines,
  findLines,
  findVoided,
  findWorkersByEmail,
  insertLines,
  type NewLine,
  voidLine,
  voidLines,
} from './history.queries.ts'
import { isYearOpen } from './history.rules.ts'

const RESOURCE = 'payroll/history'
const FIRST_DAY = '2000-01-01'
const NOTHING = '0.0000'

function errorsOf({ fields }: BatchItem<HistoryItem>, workers: ReadonlyMap<string, number>, today: string) {
  const { stretcher, worker_email, type, amount, withheld, employer_tax, work_date, pay_date } = fields
  const errors: ItemError[] = []
  if (stretcher === undefined && worker_email === undefined)
    errors.push(itemError('stretcher', 'required', 'A stretcher or a worker_email is required.'))
  if (stretcher !== undefined && worker_email !== undefined)
    errors.push(invalid('worker_email', 'must not be sent with a stretcher'))
  else if (worker_email !== undefined && !workers.has(worker_email))
    errors.push(missingWorker('worker_email', worker_email))
  if (isWage(type)) {
    if (withheld === undefined) errors.push(itemError('withheld', 'required', 'is required for wages'))
    else if (parseMoney(withheld) > parseMoney(amount))
      errors.push(invalid('withheld', 'must not be more than the amount'))
  } else
    for (const [path, tax] of Object.entries({ withheld, employer_tax }))
      if (tax !== undefined && parseMoney(tax) > 0n) errors.push(invalid(path, `must be 0: ${type} is not taxed`))
  if (work_date > pay_date) errors.push(invalid('work_date', 'must not be after pay_date'))
  if (pay_date > today) errors.push(invalid('pay_date', 'must not be in the future'))
  if (work_date < FIRST_DAY) errors.push(invalid('work_date', 'must be 2000-01-01 or later'))
  return errors
}

/** Pay from elsewhere. Whoever it names becomes an earner. */
const historyWriter: BatchWriter<typeof HistoryItem> = {
  resource: RESOURCE,
  item: HistoryItem,
  isAppendOnly: true,
  findVoided,
  undo: {
    find: async () => [],
    /** Voids the lines whose year is open. */
    async remove({ db, now }, ids) {
      await lockLedger(db)
      const lines = await findCountedLines(db, ids)
      const open = lines.filter(({ pay_date }) => isYearOpen(yearOf(pay_date), dayOf(now))).map(({ id }) => id)
      await voidLines(db, open, now)
      return new Map(ids.flatMap((id) => (open.includes(id) ? [] : [[id, 'Its year is closed.'] as const])))
    },
  },
  references: ({ stretcher }) =>
    stretcher === undefined ? [] : [{ path: 'stretcher', resource: 'stretchers', reference: stretcher }],
  async write(items, { db, now }) {
    const today = dayOf(now)
    const workers = await findWorkersByEmail(
      db,
      items.flatMap(({ fields }) => fields.worker_email ?? []),
    )
    const outcomes: ItemOutcome[] = []
    const good: { position: number; item: BatchItem<HistoryItem> }[] = []
    for (const [position, item] of items.entries()) {
      const errors = errorsOf(item, workers, today)
      if (errors.length > 0) outcomes[position] = reject(...errors)
      else good.push({ position, item })
    }
    // What is rejected changes nothing: nobody's figures are out of date.
    if (good.length === 0) return outcomes
    await lockLedger(db)
    const stretcherOf = ({ references }: BatchItem<HistoryItem>) => references.stretcher
    const workerOf = ({ fields }: BatchItem<HistoryItem>) => workers.get(fields.worker_email ?? '')
    const unique = (ids: readonly (number | undefined)[]) => [...new Set(ids)].filter((id) => id !== undefined)
    const stretcherEarners = await ensureEarners(db, unique(good.map(({ item }) => stretcherOf(item))), now)
    const workerEarners = await ensureWorkerEarners(db, unique(good.map(({ item }) => workerOf(item))), now)
    const lines = good.map(({ position, item }): NewLine => {
      const earner_id = stretcherEarners.get(stretcherOf(item) ?? 0) ?? workerEarners.get(workerOf(item) ?? 0)
      if (earner_id === undefined) throw new Error(`Item ${position} has no earner`)
      const { type, amount, withheld = NOTHING, employer_tax = NOTHING, work_date, pay_date } = item.fields
      return { earner_id, type, amount, withheld, employer_tax, work_date, pay_date }
    })
    const ids = await insertLines(db, lines, now)
    for (const [at, { position }] of good.entries()) outcomes[position] = { status: 'created', id: ids[at] as number }
    return outcomes
  },
}

async function loadLines(db: Db, ids: readonly number[]) {
  const rows = await findLines(db, ids)
  return rows.map(({ stretcher_id, email, created_at, ...row }) => ({
    ...row,
    stretcher: stretcher_id,
    worker_email: email,
    created_at: created_at.toISOString(),
  }))
}

export const historySyncRoutes = [
  batchRoute(historyCalls.batch, historyWriter, ['payroll']),
  attachRoute(historyCalls.attach, RESOURCE),
  ...readRoutes(historyCalls, RESOURCE, loadLines),

  serve(voidHistory, async ({ params, db, now, audit, publish }) => {
    await lockLedger(db)
    const ref = { source: params.source, resource: RESOURCE, externalId: params.external_id } as const
    const id = (await findReferenced(db, [ref])).get(refKey(ref))
    const line = id === undefined ? undefined : await findCountedLine(db, id)
    if (id === undefined || !line) throw refuse(voidHistory, 'not_found')
    const year = yearOf(line.pay_date)
    if (!isYearOpen(year, dayOf(now))) throw refuse(voidHistory, 'year_closed', { values: { year } })
    await voidLine(db, id, now)
    audit({ action: 'payroll.history_voided', subject: 'earner', subjectId: line.earner_id, after: { history_id: id } })
    publish('payroll', { earnerId: line.earner_id })
    return { id, external_ids: (await findExternalIds(db, RESOURCE, [id])).get(id) ?? {}, voided_at: now.toISOString() }
  }),
]
