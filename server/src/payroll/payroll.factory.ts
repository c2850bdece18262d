import type { EntryType } from '@limber/contract/payroll/values.ts'
import type { Insertable } from 'kysely'
import { makeWorker } from '#access/workers/worker.factory.ts'
import type { Db, Tables } from '#platform/db/db.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { periodOf } from './entries/period.rules.ts'

type ProfileRow = Insertable<Tables['earner_tax_profiles']>
type EntryRow = Insertable<Tables['payroll_entries']>

/** A W-4 and DE 4: single with no allowances by default. */
export const draftProfile = (overrides: Partial<ProfileRow> & { earner_id: number }): ProfileRow => ({
  effective_from: '2020-01-01',
  filing_status: 'single',
  step2_checkbox: false,
  step3_credits: '0',
  step4a_income: '0',
  step4b_deductions: '0',
  step4c_extra: '0',
  regular_allowances: 0,
  estimated_allowances: 0,
  recorded_at: new Date(`${overrides.effective_from ?? '2020-01-01'}T16:00:00Z`),
  worker_id: null,
  ...overrides,
})

export const makeProfile = (db: Db, overrides: Partial<ProfileRow> & { earner_id: number }) =>
  db.insertInto('earner_tax_profiles').values(draftProfile(overrides)).returning('id').executeTakeFirstOrThrow()

export async function makeEarner(db: Db, kind: 'stretcher' | 'worker' = 'stretcher', profile?: Partial<ProfileRow>) {
  const who =
    kind === 'stretcher'
      ? { stretcher_id: (await makeStretcher(db)).id, worker_id: null }
      : { stretcher_id: null, worker_id: (await makeWorker(db)).id }
  const earner = await db
    .insertInto('earners')
    .values({ ...who, created_at: factoryNow() })
    .returning(['id', 'stretcher_id', 'worker_id'])
    .executeTakeFirstOrThrow()
  if (profile) await makeProfile(db, { ...profile, earner_id: earner.id })
  return earner
}

/** Finds or creates the biweekly period of a day. */
export async function makePeriod(db: Db, day: string) {
  const period = periodOf(day, 'biweekly')
  const known = await db
    .selectFrom('pay_periods')
    .select(['id', 'starts_on', 'ends_on', 'pay_date'])
    .where('starts_on', '=', period.starts_on)
    .executeTakeFirst()
  if (known) return known
  return db
    .insertInto('pay_periods')
    .values({ ...period, frequency: 'biweekly', closed_at: null, closed_by: null })
    .returning(['id', 'starts_on', 'ends_on', 'pay_date'])
    .executeTakeFirstOrThrow()
}

type EntryDraft = Partial<EntryRow> & { earner_id: number; work_date: string; type?: EntryType }

/** A paid session without withholding by default. */
export async function makeEntry(db: Db, { work_date, ...overrides }: EntryDraft) {
  const period = await makePeriod(db, work_date)
  const status = overrides.status ?? 'paid'
  return db
    .insertInto('payroll_entries')
    .values({
      type: 'session',
      sub_type: null,
      amount: '100',
      withheld: '0',
      employer_tax: '0',
      pay_period_id: period.id,
      work_date,
      pay_date: period.pay_date,
      booking_id: null,
      created_at: new Date(`${work_date}T20:00:00Z`),
      paid_at: status === 'paid' ? new Date(`${period.pay_date}T14:00:00Z`) : null,
      ...overrides,
      status,
    })
    .returning(['id', 'earner_id', 'pay_date', 'pay_period_id'])
    .executeTakeFirstOrThrow()
}
