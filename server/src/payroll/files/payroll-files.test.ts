import { downloadPayPeriod } from '@limber/contract/payroll/files/pay-period-file.ts'
import {
  exportWageStatements,
  listWageStatements,
  readWageStatement,
  wageBoxes,
} from '@limber/contract/payroll/files/wage-statement.ts'
import { EntryType, isWage, readDollars } from '@limber/contract/payroll/values.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import type { PayGroup } from '../audit/audit.rules.ts'
import { makeEarner, makeEntry } from '../payroll.factory.ts'
import { readAmount, readRate } from '../tax/amount.rules.ts'
import type { Frequency } from '../tax/tables.rules.ts'
import { tablesOf } from '../tax/tables.rules.ts'
import type { TaxProfile } from '../tax/tax-profile.rules.ts'
import vectors from '../tax/vectors.json' with { type: 'json' }
import { type EarnerPay, journalOf, linesOf, roundToCents } from './pay-period-file.rules.ts'
import { boxesOf } from './wage-statement.rules.ts'

const period = { id: 7, starts_on: '2026-11-01', ends_on: '2026-11-14', pay_date: '2026-11-20' }

const amount = fc.integer({ min: 0, max: 90_000_000 }).map(BigInt)
const pay: fc.Arbitrary<EarnerPay> = fc.record({
  earner_id: fc.integer({ min: 1, max: 999 }),
  first_name: fc.constantFrom('Maya', '=cmd', 'Zoë'),
  last_name: fc.constantFrom('Ruiz', 'O’Neil, Jr.'),
  amounts: fc.record(Object.fromEntries(EntryType.options.map((type) => [type, amount]))) as unknown as fc.Arbitrary<
    EarnerPay['amounts']
  >,
  // Adjustments can make the sum of a period negative.
  withheld: fc.integer({ min: -5_000_000, max: 30_000_000 }).map(BigInt),
  employer_tax: fc.integer({ min: -500_000, max: 9_000_000 }).map(BigInt),
})

describe('the QuickBooks journal', () => {
  it('balances to the cent for any pay period', () => {
    fc.assert(
      fc.property(fc.array(pay, { maxLength: 40 }), (pays) => {
        expect(journalOf(period, pays).reduce((sum, line) => sum + line.amount, 0n)).toBe(0n)
        const cents = (text: string | undefined) => BigInt((text ?? '').replace('.', '') || '0')
        let [debits, credits] = [0n, 0n]
        for (const line of [...linesOf('quickbooks', period, pays)].slice(1)) {
          const [, date, , debit, credit] = line.split(',')
          expect(date).toBe('11/20/2026')
          expect([debit, credit].filter(Boolean)).toHaveLength(1)
          debits += cents(debit)
          credits += cents(credit)
        }
        expect(debits).toBe(credits)
      }),
      { numRuns: 200 },
    )
  })

  it('contains all wages and taxes', () => {
    fc.assert(
      fc.property(pay, (one) => {
        const sumOf = (account: string) =>
          journalOf(period, [one])
            .filter((line) => line.account === account)
            .reduce((sum, line) => sum + line.amount, 0n)
        const wages = EntryType.options.filter(isWage).reduce((sum, type) => sum + roundToCents(one.amounts[type]), 0n)
        expect(sumOf('Payroll Expenses:Wages')).toBe(wages)
        expect(-sumOf('Payroll Liabilities:Payroll Taxes')).toBe(
          roundToCents(one.withheld) + roundToCents(one.employer_tax),
        )
      }),
    )
  })
})

describe('W-2 boxes', () => {
  it.each(vectors.paychecks)('agree with the worked paycheck $id', ({ tax_year, input, expected_employee }) => {
    const { w4, de4 } = input
    const wages = readAmount(input.gross_taxable_wages)
    const group: PayGroup = {
      periodId: 1,
      payDate: `${tax_year}-06-05`,
      wages,
      ytdBefore: readAmount(input.ytd_taxable_wages_before),
      ytdHistory: 0n,
      entries: [
        {
          id: 1,
          periodId: 1,
          payDate: `${tax_year}-06-05`,
          type: 'session',
          amount: wages,
          employeeRecorded: readAmount(expected_employee.total),
          employerRecorded: 0n,
        },
      ],
    }
    const taxProfile: TaxProfile = {
      filingStatus: input.filing_status as TaxProfile['filingStatus'],
      w4: {
        step2: w4.step2_checkbox,
        step3: readAmount(w4.step3_credits),
        step4a: readAmount(w4.step4a),
        step4b: readAmount(w4.step4b),
        step4c: readAmount(w4.step4c),
      },
      de4: { regular: de4.regular_allowances, estimated: de4.estimated_deduction_allowances },
    }
    const terms = { taxProfile, frequency: input.pay_frequency as Frequency, uiRate: readRate(input.ca_ui_rate) }
    const { totals, difference } = boxesOf([group], () => terms, tablesOf(tax_year).socialSecurity.wageBase)
    const medicare = readAmount(expected_employee.medicare) + readAmount(expected_employee.additional_medicare)
    expect(difference).toBe(0n)
    expect(totals).toMatchObject({
      box1: wages,
      box2: readAmount(expected_employee.federal_income_tax),
      box4: readAmount(expected_employee.social_security),
      box5: wages,
      box6: medicare,
      box16: wages,
      box17: readAmount(expected_employee.ca_pit),
      sdi: readAmount(expected_employee.ca_sdi),
    })
  })
})

let server: TestServer
let earnerId: number
beforeAll(async () => {
  server = await startTestServer()
  earnerId = (await makeEarner(server.db)).id
  const other = await makeEarner(server.db, 'worker')
  for (const [n, work_date] of ['2026-09-08', '2026-09-22', '2026-10-06', '2026-10-20'].entries()) {
    const of = { work_date, status: 'paid' as const }
    await makeEntry(server.db, { ...of, earner_id: earnerId, amount: '1200.50', withheld: '180.25', type: 'session' })
    await makeEntry(server.db, { ...of, earner_id: earnerId, amount: '40', withheld: '0', type: 'mileage' })
    await makeEntry(server.db, {
      ...of,
      earner_id: other.id,
      amount: String(900 + n),
      withheld: '99.9999',
      type: 'bonus',
    })
  }
})
afterAll(() => server.stop())

describe('payroll files', () => {
  const clerk = () => server.as('payroll.details')

  it('W-2 figures add up to the entries of the year, and each box to its steps', async () => {
    const { body } = await clerk().send(listWageStatements, { query: { year: '2026' } })
    expect(body.statements).toHaveLength(2)
    for (const statement of body.statements) {
      const rows = await server.db
        .selectFrom('payroll_entries')
        .select(['amount', 'withheld', 'type'])
        .where('earner_id', '=', statement.earner_id)
        .where('status', '=', 'paid')
        .execute()
      const wages = rows.filter(({ type }) => isWage(type)).reduce((sum, row) => sum + readAmount(row.amount), 0n)
      const withheld = rows.reduce((sum, row) => sum + readAmount(row.withheld), 0n)
      const { box1, box2, box4, box5, box6, box16, box17, sdi } = statement
      for (const box of [box1, box5, box16]) expect(readDollars(box)).toBe(wages)
      expect([box2, box4, box6, box17, sdi].reduce((sum, box) => sum + readDollars(box), 0n)).toBe(withheld)
      const detail = await clerk().send(readWageStatement, {
        params: { earner: String(statement.earner_id) },
        query: { year: '2026' },
      })
      expect(detail.body.statement).toEqual(statement)
      for (const box of wageBoxes) {
        const sum = detail.body.steps[box].reduce((all, step) => all + readDollars(step.amount), 0n)
        expect(sum, box).toBe(readDollars(statement[box]))
      }
    }
    const file = await clerk().send(exportWageStatements, { query: { year: '2026' } } as never)
    expect(file.text.split('\r\n')[0]).toContain('Box 1: Wages,Box 2: Federal income tax')
    expect(file.text.trim().split('\r\n')).toHaveLength(3)
  })

  it('refuses a year without tax tables and unknown records', async () => {
    const query = { year: '2001' }
    expect((await clerk().send(listWageStatements, { query })).failure.code).toBe('no_tables')
    expect((await clerk().send(readWageStatement, { params: { earner: '1' }, query })).status).toBe(422)
    const unknown = { params: { earner: '999999' }, query: { year: '2026' } }
    expect((await clerk().send(readWageStatement, unknown)).status).toBe(404)
    expect((await clerk().send(downloadPayPeriod, { params: { id: '999999', format: 'gusto' } })).status).toBe(404)
    expect((await clerk().send(downloadPayPeriod, { params: { id: '1', format: 'adp' as never } })).status).toBe(400)
    expect((await server.as('payroll.audit').send(listWageStatements, { query: { year: '2026' } })).status).toBe(403)
  })

  it('downloads a pay period in three formats, and records it', async () => {
    const { pay_period_id } = await server.db
      .selectFrom('payroll_entries')
      .select('pay_period_id')
      .where('earner_id', '=', earnerId)
      .orderBy('id')
      .executeTakeFirstOrThrow()
    const id = String(pay_period_id)
    const read = async (format: 'register' | 'gusto' | 'quickbooks') =>
      (await clerk().send(downloadPayPeriod, { params: { id, format } })).text.trim().split('\r\n')
    const register = await read('register')
    expect(register[0]).toContain('Gross wages,Withheld tax')
    expect(register.some((line) => line.includes(',1200.50,180.25,40.00,0.00,1060.25,'))).toBe(true)
    const gusto = await read('gusto')
    expect(gusto[0]).toBe('first_name,last_name,bonus,commission,reimbursement,personal_note')
    expect(gusto.some((line) => line.includes(',,1200.50,40.00,"Sessions 1200.50; Mileage 40.00"'))).toBe(true)
    const journal = await read('quickbooks')
    expect(journal[0]).toBe('JournalNo,JournalDate,AccountName,Debits,Credits,Description,Name')
    const row = await server.db
      .selectFrom('audit_log')
      .select(['call', 'after'])
      .where('action', '=', 'exported')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(row.call).toBe('GET /api/payroll/periods/:id/files/:format')
    expect(row.after).toMatchObject({ rows: journal.length - 1, isComplete: true })
  })
})
