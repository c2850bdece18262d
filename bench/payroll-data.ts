import pg from 'pg'
import { migrate } from '../server/src/platform/db/migrate.ts'
import { hashToken, randomToken } from '../server/src/platform/security/secrets.ts'
import { silentLog } from '../server/src/platform/telemetry/log.ts'

const PERIOD = 14
const CODES = '{39,42,100,101}'

export interface PayrollSize {
  entries: number
  earners: number
  periods: number
}

async function makeDatabase(adminUrl: string, name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`create database ${name}`)
  await admin.end()
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  await migrate(url.href, silentLog)
  return url.href
}

async function signIn(client: pg.Client): Promise<string> {
  const token = randomToken()
  const { rows } = await client.query<{ id: string }>(
    `insert into workers (email, name, permissions, handle, status, created_at)
     values ('bench@example.com', 'Bench', $1, '\\x01', 'active', now()) returning id`,
    [CODES],
  )
  await client.query(
    'insert into sessions (token_hash, worker_id, created_at, last_seen_at) values ($1, $2, now(), now())',
    [hashToken(token), rows[0]?.id],
  )
  return token
}

/** A new database with paid entries of many earners, the last period paid on November 13, 2026, and a session token. */
export async function makePayroll(adminUrl: string, name: string, { entries, earners, periods }: PayrollSize) {
  const url = await makeDatabase(adminUrl, name)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `insert into workers (email, name, permissions, handle, status, created_at)
       select 'earner' || n || '@example.com', 'Earner ' || n, '{}', decode(lpad(to_hex(n + 100), 8, '0'), 'hex'), 'active', now()
       from generate_series(1, $1::int) n`,
      [earners],
    )
    await client.query('insert into earners (worker_id, created_at) select id, now() from workers')
    await client.query(
      `insert into earner_tax_profiles (earner_id, effective_from, filing_status, step2_checkbox, step3_credits, step4a_income,
         step4b_deductions, step4c_extra, regular_allowances, estimated_allowances, recorded_at)
       select id, '2020-01-01', (array['single', 'married_jointly', 'married_separately', 'head_of_household'])[1 + id % 4], false,
         0, 0, 0, 0, id % 3, 0, now() from earners`,
    )
    await client.query(
      `insert into pay_periods (starts_on, ends_on, pay_date, frequency)
       select date '2026-11-08' - ($1::int * n + $1 - 1), date '2026-11-08' - $1 * n, date '2026-11-13' - $1 * n, 'biweekly'
       from generate_series(0, $2::int - 1) n`,
      [PERIOD, periods],
    )
    // Triggers update totals per statement, so a few large statements are faster.
    await client.query(
      `insert into payroll_entries (earner_id, type, amount, withheld, employer_tax, status, pay_period_id, work_date, pay_date, created_at, paid_at)
       select e.id, t.type, a.amount, case when t.type = 'mileage' then 0 else round(a.amount * 0.18, 4) end,
         case when t.type = 'mileage' then 0 else round(a.amount * 0.0765, 4) end, 'paid', p.id, p.starts_on, p.pay_date, p.pay_date, p.pay_date
       from generate_series(0, $1::int - 1) n
       join (select id, row_number() over (order by id) - 1 as position from earners) e on e.position = n % $2::int
       join (select *, row_number() over (order by pay_date desc) - 1 as position from pay_periods) p on p.position = (n / $2::int) % $3::int,
         lateral (select 40 + (n::bigint * 7919) % 20000 / 100.0 as amount) a,
         lateral (select (array['session','session','session','bonus','mileage','commission'])[1 + n % 6] as type) t`,
      [entries, earners, periods],
    )
    await client.query(
      `insert into payroll_transactions (transaction_type, amount, status, earner_id, pay_period_id, created_at)
       select 'net_pay', 30 + (n::bigint * 7919) % 90000 / 100.0, case when n % 100 = 0 then 'failed' else 'completed' end, e.id, null,
         timestamptz '2026-11-13 14:00:00Z' - ((n / $2::int) % $3::int) * interval '14 days' + (n % 3600) * interval '1 second'
       from generate_series(0, $1::int - 1) n
       join (select id, row_number() over (order by id) - 1 as position from earners) e on e.position = n % $2::int`,
      [entries, earners, periods],
    )
    const token = await signIn(client)
    await client.query('vacuum analyze')
    return { url, token }
  } finally {
    await client.end()
  }
}
