import { listAdjustments, runAudit } from '@limber/contract/payroll/audit/audit.ts'
import { explainEntry } from '@limber/contract/payroll/audit/explanation.ts'
import { readEarner } from '@limber/contract/payroll/earners/earner.ts'
import { historyCalls, voidHistory } from '@limber/contract/payroll/history/history-sync.ts'
import { listDetails } from '@limber/contract/payroll/lists/detail.ts'
import { readSummary } from '@limber/contract/payroll/lists/summary.ts'
import { listTransactions } from '@limber/contract/payroll/lists/transaction.ts'
import { EntryType, FilingStatus, isWage } from '@limber/contract/payroll/values.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asProgram } from '#access/api-keys/program.testing.ts'
import { makeWorker } from '#access/workers/worker.factory.ts'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { batchTesting } from '#platform/testing/testing.sync.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { calculateGroup, groupEntries, type PaidEntry, type Terms } from '../audit/audit.rules.ts'
import { runPayroll } from '../entries/pay-sessions.ts'
import { periodOf } from '../entries/period.rules.ts'
import { makeEarner, makeEntry } from '../payroll.factory.ts'

const { batch, list, read, readByExternalId, attach } = historyCalls

let server: TestServer
let app: Awaited<ReturnType<typeof asProgram>>
let stretcher: { id: number }
beforeEach(async () => {
  server = await startTestServer()
  app = await asProgram(server)
  const { id } = await makeStretcher(server.db)
  stretcher = { id }
})
afterEach(() => server.stop())

const line = (n: number, change: object = {}) => ({
  external_id: `h-${n}`,
  stretcher,
  type: 'session',
  amount: '1000.00',
  withheld: '180.00',
  employer_tax: '76.50',
  work_date: '2026-03-02',
  pay_date: '2026-03-13',
  ...change,
})

const { send, idOf } = batchTesting(() => app, historyCalls)
const drop = (external_id: string, source = 'app') => app.send(voidHistory, { params: { source, external_id } })
const earnerIds = async () =>
  (await server.db.selectFrom('earners').select('id').orderBy('id').execute()).map((e) => e.id)
const yearToDate = async (id: number) =>
  (await server.as('payroll.details').send(readEarner, { params: { id: String(id) } })).body.year_to_date
const version = async () =>
  (await server.db.selectFrom('payroll_ledger').select('version').executeTakeFirstOrThrow()).version

describe('POST /api/v1/payroll/history/batch', () => {
  it('takes lines of stretchers and workers, who become earners', async () => {
    const { id, email } = await makeWorker(server.db)
    const reply = await send(
      line(1),
      line(2, { stretcher: undefined, worker_email: email.toUpperCase(), type: 'bonus' }),
    )
    expect(reply).toMatchObject({ created: 2, rejected: 0 })
    expect((await app.send(read, { params: { id: String(idOf(reply)) } })).body).toMatchObject({
      external_ids: { app: 'h-1' },
      stretcher: stretcher.id,
      worker_email: null,
      type: 'session',
      amount: '1000.0000',
      withheld: '180.0000',
      employer_tax: '76.5000',
      work_date: '2026-03-02',
      pay_date: '2026-03-13',
    })
    expect((await app.send(read, { params: { id: String(idOf(reply, 1)) } })).body).toMatchObject({
      stretcher: null,
      worker_email: email,
      type: 'bonus',
    })
    const earners = await server.db.selectFrom('earners').select(['stretcher_id', 'worker_id']).execute()
    expect(earners).toEqual([
      { stretcher_id: stretcher.id, worker_id: null },
      { stretcher_id: null, worker_id: id },
    ])
  })

  it('never changes a line', async () => {
    await send(line(1))
    const before = await version()
    expect(await send(line(1))).toMatchObject({ unchanged: 1 })
    expect(await send(line(1, { amount: '1000', updated_at: '2026-11-01T00:00:00Z' }))).toMatchObject({ unchanged: 1 })
    expect(await version()).toBe(before)
    for (const change of [{ amount: '1000.01' }, { pay_date: '2026-03-14' }, { type: 'bonus' }]) {
      const { results } = await send(line(1, change))
      expect(results[0]).toMatchObject({ status: 'rejected', errors: [{ code: 'immutable' }] })
    }
    await expect(sql`update payroll_history set amount = 1`.execute(server.db)).rejects.toThrow()
    await expect(sql`delete from payroll_history`.execute(server.db)).rejects.toThrow()
  })

  it.each([
    ['nobody', { stretcher: undefined }, 'stretcher', 'required'],
    ['two people', { worker_email: 'a@example.com' }, 'worker_email', 'invalid'],
    ['an unknown stretcher', { stretcher: 's-404' }, 'stretcher', 'missing_reference'],
    ['an unknown worker', { stretcher: undefined, worker_email: 'a@example.com' }, 'worker_email', 'missing_reference'],
    ['an unknown type', { type: 'tips' }, 'type', 'invalid'],
    ['a negative amount', { amount: '-1' }, 'amount', 'invalid'],
    ['a number', { amount: 1000 }, 'amount', 'invalid'],
    ['five decimals', { amount: '1.00001' }, 'amount', 'invalid'],
    ['too much', { amount: '10000000.01' }, 'amount', 'invalid'],
    ['more withheld than paid', { withheld: '1000.01' }, 'withheld', 'invalid'],
    ['wages without withholding', { withheld: undefined }, 'withheld', 'required'],
    ['taxed mileage', { type: 'mileage', employer_tax: undefined }, 'withheld', 'invalid'],
    ['pay before work', { pay_date: '2026-03-01' }, 'work_date', 'invalid'],
    ['pay in the future', { pay_date: '2026-11-17' }, 'pay_date', 'invalid'],
    ['no day', { work_date: '2026-02-30' }, 'work_date', 'invalid'],
    ['another century', { work_date: '1999-12-31' }, 'work_date', 'invalid'],
    ['an unknown field', { net_pay: '1' }, 'net_pay', 'unknown_field'],
  ])('rejects %s', async (_title, change, path, code) => {
    const { results } = await send(line(1, change), line(2))
    expect(results[0]).toMatchObject({ status: 'rejected', errors: [{ path, code }] })
    expect(results[1]?.status).toBe('created')
  })

  it('leaves the version of the ledger when every line is rejected', async () => {
    await send(line(1))
    const before = await version()
    const rejected = [line(2, { withheld: '1000.01' }), line(3, { pay_date: '2026-11-17' }), line(1, { amount: '1' })]
    expect(await send(...rejected)).toMatchObject({ rejected: 3 })
    expect(await version()).toBe(before)
    expect(await send(line(4), ...rejected)).toMatchObject({ created: 1, rejected: 3 })
    expect(await version()).toBeGreaterThan(before)
  })

  it('takes untaxed pay without taxes, and wages of 0', async () => {
    const untaxed = { withheld: undefined, employer_tax: undefined }
    const items = [line(1, { type: 'mileage', ...untaxed }), line(2, { amount: '0', withheld: '0' })]
    expect(await send(...items)).toMatchObject({ created: 2 })
  })

  it('takes 1,000 lines at once, in the order sent', async () => {
    const items = Array.from({ length: 1000 }, (_, n) => line(n, { amount: `${2000 + n}.00` }))
    const reply = await send(...items)
    expect(reply.created).toBe(1000)
    const { body } = await app.send(read, { params: { id: String(idOf(reply, 317)) } })
    expect(body).toMatchObject({ external_ids: { app: 'h-317' }, amount: '2317.0000' })
  })

  it('creates each line once when batches race', async () => {
    const items = Array.from({ length: 20 }, (_, n) => line(n))
    const replies = await Promise.all([1, 2, 3].map(() => send(...items)))
    expect(replies.map(({ created }) => created).sort()).toEqual([0, 0, 20])
    expect((await yearToDate((await earnerIds())[0] ?? 0)).wages).toBe(20_000)
  })

  it('lists lines, reads them by external id, and attaches ids of other systems', async () => {
    const reply = await send(line(1), line(2))
    const { body } = await app.send(list)
    expect(body.items.map(({ external_ids }) => external_ids.app)).toEqual(['h-1', 'h-2'])
    const crm = await asProgram(server, { source: 'crm' })
    const params = { id: String(idOf(reply)) }
    expect((await crm.send(attach, { params, body: { external_id: 'x' } })).status).toBe(200)
    const found = await app.send(readByExternalId, { params: { source: 'crm', external_id: 'x' } })
    expect(found.body.id).toBe(idOf(reply))
  })
})

describe('DELETE /api/v1/payroll/history/by-external-id/:source/:external_id', () => {
  it('voids a line, which then counts nowhere and shows as a tombstone', async () => {
    const reply = await send(line(1), line(2))
    const id = idOf(reply)
    const done = await drop('h-1')
    expect(done.status, done.text).toBe(200)
    expect(done.body).toMatchObject({ id, external_ids: { app: 'h-1' } })
    expect((await yearToDate((await earnerIds())[0] ?? 0)).wages).toBe(1000)
    expect((await app.send(read, { params: { id: String(id) } })).status).toBe(404)
    const { items } = (await app.send(list)).body
    expect(items.at(-1)).toMatchObject({ id, external_ids: { app: 'h-1' }, reason: 'deleted' })
    expect((await drop('h-1')).status).toBe(404)
    expect((await drop('h-404')).status).toBe(404)
    expect((await drop('h-2', 'crm')).status).toBe(404)
    const log = await server.db
      .selectFrom('audit_log')
      .select(['worker_name', 'after'])
      .where('action', '=', 'payroll.history_voided')
      .execute()
    expect(log).toEqual([{ worker_name: expect.stringMatching(/^API key /), after: { history_id: id } }])
  })

  it('frees the external id for the right figures', async () => {
    const first = idOf(await send(line(1)))
    await drop('h-1')
    const again = await send(line(1, { amount: '900.00' }))
    expect(again).toMatchObject({ created: 1 })
    expect(idOf(again)).not.toBe(first)
    expect((await yearToDate((await earnerIds())[0] ?? 0)).wages).toBe(900)
    const found = await app.send(readByExternalId, { params: { source: 'app', external_id: 'h-1' } })
    expect(found.body).toMatchObject({ id: idOf(again), amount: '900.0000' })
    // The same figures again are a new line, too.
    await drop('h-1')
    expect(await send(line(1, { amount: '900.00' }))).toMatchObject({ created: 1 })
  })

  it('keeps the id of a voided line when the new one is rejected', async () => {
    await send(line(1))
    await drop('h-1')
    await send(line(1, { amount: '-1' }))
    await send(line(1, { withheld: '5000' }))
    expect((await app.send(list)).body.items).toMatchObject([{ external_ids: { app: 'h-1' }, reason: 'deleted' }])
  })

  it('is refused once the year is closed, on February 1', async () => {
    const past = { work_date: '2025-12-20', pay_date: '2025-12-31' }
    expect(await send(line(1, past), line(2))).toMatchObject({ created: 2 })
    const refused = await drop('h-1')
    expect([refused.status, refused.failure.code]).toEqual([409, 'year_closed'])
    expect(refused.failure.error).toContain('2025')
    server.clock.set('2027-02-01T07:59:00Z')
    expect((await drop('h-2')).status).toBe(200)
  })

  it('needs payroll:write', async () => {
    await send(line(1))
    const reader = await asProgram(server, { scopes: ['payroll:read'] })
    const params = { source: 'app', external_id: 'h-1' }
    expect((await reader.send(voidHistory, { params })).failure.code).toBe('scope')
    expect((await reader.send(batch, { body: { items: [line(2)] } })).failure.code).toBe('scope')
    expect((await reader.send(list)).status).toBe(200)
    const writer = await asProgram(server, { scopes: ['payroll:write'] })
    expect((await writer.send(list)).failure.code).toBe('scope')
    expect((await writer.send(voidHistory, { params })).status).toBe(200)
  })
})

describe('year-to-date figures', () => {
  it('show what Limber and others paid this year', async () => {
    await send(
      line(1, { amount: '6500.00', withheld: '1000.00', employer_tax: '500.00' }),
      line(2, { type: 'mileage', amount: '41.5', withheld: '0', employer_tax: '0' }),
      line(3, { amount: '9000.00', work_date: '2025-06-01', pay_date: '2025-06-12' }),
    )
    const [earner_id = 0] = await earnerIds()
    await makeEntry(server.db, {
      earner_id,
      work_date: '2026-10-05',
      amount: '800',
      withheld: '144',
      employer_tax: '61.2',
    })
    await makeEntry(server.db, { earner_id, work_date: '2026-11-09', amount: '700', status: 'pending' })
    const found = await yearToDate(earner_id)
    expect(found).toMatchObject({
      year: 2026,
      ...{ wages: 7300, reimbursements: 41.5, withheld: 1144, employer_tax: 561.2 },
      history: { wages: 6500, reimbursements: 41.5, withheld: 1000, employer_tax: 500 },
    })
    expect(found.wage_bases.find(({ key }) => key === 'futa')).toEqual({
      ...{ key: 'futa', label: 'FUTA', wage_base: 7000, taxed: 7000, left: 0 },
    })
  })

  it('are nothing that Limber paid', async () => {
    await send(line(1), line(2, { type: 'expense_reimbursement', withheld: '0', employer_tax: '0' }))
    expect(await runPayroll(server.running.services)).toEqual({ paid: 0 })
    const details = await server.as('payroll.details').send(listDetails)
    expect(details.body).toMatchObject({ details: [], totals: { amount: 0 } })
    const transactions = await server.as('payroll.transactions').send(listTransactions)
    expect(transactions.body.transactions).toEqual([])
    const query = { startDate: '2026-01-01', endDate: '2026-12-31' }
    const summary = await server.as('payroll.summary').send(readSummary, { query } as never)
    expect(JSON.stringify(summary.body)).not.toMatch(/1000|180/)
    const audit = await server.as('payroll.audit').send(runAudit, { body: query })
    expect(audit.body).toMatchObject({ total_entries_checked: 0, total_discrepancies: 0 })
    expect((await server.as('payroll.audit').send(listAdjustments)).body.adjustments).toEqual([])
  })

  it('explain a paycheck on top of them, and name them as a cause', async () => {
    await send(line(1, { amount: '7000.00' }))
    const [earner_id = 0] = await earnerIds()
    // FUTA, UI and ETT are due without the history: the wage base of 7,000 was reached elsewhere.
    const due = { amount: '1000', employer_tax: '117.50' }
    const { id } = await makeEntry(server.db, { earner_id, work_date: '2026-10-05', ...due })
    const explain = async () =>
      (await server.as('payroll.audit').send(explainEntry, { params: { id: String(id) } })).body
    const found = await explain()
    expect(found).toMatchObject({ ytd_before: 7000, ytd_history: 7000, employer: { calculated_tax: 76.5 } })
    const futa = found.employer.components.find(({ key }) => key === 'futa')
    expect(futa?.steps[0]?.working).toContain('wage base of 7,000.00 already reached')
    expect(found.likely_causes).toContainEqual({
      side: 'employer',
      cause: 'missing_history',
      text: 'Calculated without the wages of $7,000.00 that were paid elsewhere this year.',
    })
    await drop('h-1')
    expect(await explain()).toMatchObject({ ytd_before: 0, ytd_history: 0, employer: { discrepancy: 0 } })
  })

  it('count on the same pay date, not on earlier ones or in another year', async () => {
    const { pay_date } = periodOf('2026-10-05', 'biweekly')
    await send(
      line(1, { amount: '100.00', withheld: '0', pay_date }),
      line(2, { amount: '200.00', withheld: '0', pay_date: '2026-10-24', work_date: '2026-10-20' }),
      line(3, { amount: '400.00', withheld: '0', work_date: '2025-10-01', pay_date: '2025-10-15' }),
    )
    const [earner_id = 0] = await earnerIds()
    const { id, pay_date: own } = await makeEntry(server.db, { earner_id, work_date: '2026-10-05' })
    expect(own).toBe(pay_date)
    const { body } = await server.as('payroll.audit').send(explainEntry, { params: { id: String(id) } })
    expect(body.ytd_before).toBe(100)
  })
})

// Amounts that reach every wage base in some years and none in others.
const Year = fc.array(
  fc.record({
    period: fc.nat({ max: 22 }),
    type: fc.constantFrom(...EntryType.options),
    cents: fc.oneof(fc.nat({ max: 90_000 }), fc.nat({ max: 4_000_000 })),
  }),
  { minLength: 1, maxLength: 30, size: 'max' },
)
const dayOfPeriod = (period: number) => new Date(Date.UTC(2026, 0, 6 + 14 * period)).toISOString().slice(0, 10)
const dollarsOf = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

describe('a year split into history and Limber', () => {
  it('has the same taxes for the part of Limber as the whole year in Limber, by the rules', () => {
    fc.assert(
      fc.property(Year, fc.nat({ max: 23 }), fc.constantFrom(...FilingStatus.options), (year, split, filingStatus) => {
        const terms: Terms = {
          taxProfile: {
            filingStatus,
            w4: { step2: false, step3: 0n, step4a: 0n, step4b: 0n, step4c: 0n },
            de4: { regular: 1, estimated: 0 },
          },
          frequency: 'biweekly',
          uiRate: 34_000n,
        }
        const entries = year
          .toSorted((a, b) => a.period - b.period)
          .map(({ period, type, cents }, id): PaidEntry => {
            const { pay_date } = periodOf(dayOfPeriod(period), 'biweekly')
            const amount = BigInt(cents) * 100n
            return { id, periodId: period, payDate: pay_date, type, amount, employeeRecorded: 0n, employerRecorded: 0n }
          })
        const isHistory = ({ periodId }: PaidEntry) => periodId < split
        const elsewhere = entries
          .filter((entry) => isHistory(entry) && isWage(entry.type))
          .map(({ payDate, amount }) => ({ payDate, wages: amount }))
        const before = { year: 2026, wages: 0n }
        const whole = groupEntries(entries, before).filter(({ periodId }) => periodId >= split)
        const part = groupEntries(
          entries.filter((entry) => !isHistory(entry)),
          before,
          elsewhere,
        )
        expect(part.map((group) => calculateGroup(group, terms))).toEqual(
          whole.map((group) => calculateGroup(group, terms)),
        )
        expect(part.map(({ ytdBefore }) => ytdBefore)).toEqual(whole.map(({ ytdBefore }) => ytdBefore))
      }),
      { numRuns: rounds(100, 500) },
    )
  })

  it('has the same taxes in the audit, from any first day', async () => {
    const cases = fc.sample(fc.tuple(Year, fc.nat({ max: 20 }), fc.constantFrom(...FilingStatus.options)), {
      numRuns: 15,
      seed: 20_261_116,
    })
    const pairs: { whole: Map<number, number>; wholeEarner: number; partEarner: number }[] = []
    let sent = 0
    for (const [year, split, filing_status] of cases) {
      const whole = await makeEarner(server.db, 'stretcher', { filing_status })
      const part = await makeEarner(server.db, 'stretcher', { filing_status })
      const same = new Map<number, number>()
      const items: object[] = []
      for (const { period, type, cents } of year) {
        const work_date = dayOfPeriod(period)
        const amount = dollarsOf(cents)
        const draft = { type, amount, work_date }
        const { id } = await makeEntry(server.db, { ...draft, earner_id: whole.id })
        if (period >= split) same.set((await makeEntry(server.db, { ...draft, earner_id: part.id })).id, id)
        else
          items.push(
            line(sent++, {
              ...draft,
              stretcher: { id: part.stretcher_id },
              ...{ withheld: '0', employer_tax: '0', pay_date: periodOf(work_date, 'biweekly').pay_date },
            }),
          )
      }
      if (items.length > 0) expect(await send(...items)).toMatchObject({ created: items.length })
      pairs.push({ whole: same, wholeEarner: whole.id, partEarner: part.id })
    }
    let compared = 0
    for (const startDate of ['2026-01-01', '2026-05-17', '2026-09-04']) {
      const { body } = await server.as('payroll.audit').send(runAudit, { body: { startDate, endDate: '2026-12-31' } })
      const found = new Map(
        body.discrepancies.map((one) => [
          one.payroll_id,
          [one.employee_discrepancy.calculated_tax, one.employer_discrepancy.calculated_tax],
        ]),
      )
      for (const { whole } of pairs)
        for (const [inPart, inWhole] of whole) {
          expect(found.get(inPart)).toEqual(found.get(inWhole))
          if (found.has(inWhole)) compared += 1
        }
    }
    expect(compared).toBeGreaterThan(100)
    for (const { wholeEarner, partEarner } of pairs) {
      const { history: _, ...whole } = await yearToDate(wholeEarner)
      expect(await yearToDate(partEarner)).toMatchObject(whole)
    }
  }, 120_000)
})
