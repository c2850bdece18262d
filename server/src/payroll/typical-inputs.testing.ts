import { sql } from 'kysely'
import type { Inputs, InputTools } from '#platform/testing/testing.inputs.ts'

export const payrollInputs = ({ mostFrequent, byId, to, naming, sending, next }: InputTools): Inputs => ({
  'GET /api/payroll/figures/:figure': async () => ({ params: { figure: 'netPay' } }),
  'GET /api/payroll/details/:id': byId('payroll_entries'),
  'GET /api/payroll/entries/:id/explanation': byId('payroll_entries'),
  'GET /api/payroll/earners/:id': byId('payroll_entries', 'earner_id'),
  'GET /api/payroll/wage-statements': async () => ({ query: { year: '2026' } }),
  'GET /api/payroll/wage-statements/:earner': async () => ({
    params: { earner: String(await mostFrequent('payroll_entries', 'earner_id')) },
    query: { year: '2026' },
  }),
  'GET /api/payroll/earners/:id/unpaid-sessions': byId('payroll_entries', 'earner_id'),
  'POST /api/payroll/audit': sending({ startDate: '2026-10-01', endDate: '2026-10-31' }),
  'POST /api/payroll/details': naming('earner_id', sql`select earner_id as id from payroll_entries order by id desc`, {
    type: 'bonus',
    amount: 25,
    work_date: '2026-11-16',
  }),
  'POST /api/payroll/details/:id/cancel': to(
    sql`select id from payroll_entries where status = 'pending' and type <> 'session' order by id desc`,
    { reason: 'twice' },
  ),
  'POST /api/payroll/transactions/:id/settle': to(
    sql`select id from payroll_transactions where transaction_type = 'tax_deposit' and status = 'pending' order by id desc`,
    { status: 'completed' },
  ),
  'PATCH /api/payroll/settings': async () => ({ body: { basePay: 45 + next(), effectiveFrom: '2027-02-01' } }),
  'POST /api/payroll/earners': naming(
    'stretcher_id',
    sql`select id from stretchers s where not exists (select from earners e where e.stretcher_id = s.id) order by id desc`,
  ),
  'POST /api/payroll/periods/close': naming(
    'period_id',
    sql`select id from pay_periods p where closed_at is null and pay_date <= '2026-11-16' and not exists (
        select from payroll_entries e where e.pay_period_id = p.id and e.status = 'pending') order by id`,
  ),
  'POST /api/payroll/earners/:id/profiles': to(sql`select id from earners order by id desc`, {
    filing_status: 'single',
    effective_from: '2026-12-01',
  }),
})
