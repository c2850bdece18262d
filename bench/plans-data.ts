import type pg from 'pg'
import { formatInteger } from '../contract/src/kit/formats/numbers.ts'
import { withoutIndexes } from '../seed/bulk.ts'
import { recountAll } from './recount.ts'

/** Tables that grow with the company, parents first. */
const LARGE = [
  ...[
    'customers',
    'bookings',
    'customer_transactions',
    'credit_entries',
    'rewards',
    'customer_notes',
    'texts',
    'outbox',
  ],
  ...[
    'email_logs',
    'tickets',
    'ticket_messages',
    'ticket_words',
    'ticket_events',
    'ticket_notes',
    'leads',
    'lead_steps',
  ],
  ...[
    'lead_notes',
    'payroll_entries',
    'payroll_transactions',
    'business_emails',
    'training_enrolments',
    'training_progress',
  ],
  ...['training_attempts', 'event_failures', 'error_people', 'inbound_events', 'audit_log', 'suppressions', 'events'],
]

/** Large tables that are filled after the others: what changed, the ids of other systems, and what they were told. */
const FILLED = ['record_changes', 'external_refs', 'webhook_deliveries', 'payroll_history', 'referrals']

/** Tables that have the same size in both companies, so that only the others grow. */
const FIXED_SIZES: Record<string, number> = {
  workers: 150,
  businesses: 1_500,
  stretchers: 4_000,
  earners: 500,
  earner_tax_profiles: 500,
  business_notes: 6_600,
  prepaid_blocks: 6_000,
  block_entries: 10_000,
  onsite_sessions: 4_000,
  onsite_participants: 33_000,
  certifications: 16_000,
  kb_suggestions: 1_000,
  kb_suggestion_reviews: 1_000,
}

/** Columns that must differ in every copy. With a table name, they differ like the copies of that table. */
const DISTINCT: Record<string, string> = {
  'workers.email': '',
  'workers.handle': '',
  'customers.email': '',
  'stretchers.email': '',
  'businesses.custom_path': '',
  'businesses.admin_email': '',
  'business_emails.email': '',
  'tickets.customer_email': 'customers',
  'leads.email': '',
  'leads.leadgen_id': '',
  'texts.sid': '',
  'texts.outbox_key': '',
  'ticket_messages.inbound_key': '',
  'ticket_messages.outbox_key': 'outbox',
  'email_logs.outbox_key': 'outbox',
  'outbox.key': '',
  'inbound_events.key': '',
}

const phone = (column: string, copy = 'k') =>
  `'+1' || lpad(((right(t.${column}, 10)::bigint + ${copy}::bigint * 79190000) % 10000000000)::text, 10, '0')`

/** Columns with their own expression. */
const EXPRESSIONS: Record<string, string> = {
  // There may be more copies of stretchers than of customers. Each one is still a different customer.
  'stretchers.customer_id': 't.customer_id + (k % COPIES)::bigint * STEP + (k / COPIES) * 50',
  'customers.phone': phone('phone'),
  'leads.phone': phone('phone'),
  'texts.from_number': `case when t.is_outgoing then t.from_number else ${phone('from_number', '(k % COPIES)')} end`,
  'texts.to_number': `case when t.is_outgoing then ${phone('to_number', '(k % COPIES)')} else t.to_number end`,
  'certifications.short_id': 'left(md5(t.short_id || k), 16)',
  // A backlog does not grow with everything ever sent, and the copies must not be sent.
  'outbox.state': `case t.state when 'waiting' then 'sent' else t.state end`,
  'outbox.sent_at': `case t.state when 'waiting' then t.created_at else t.sent_at end`,
  'error_people.person': 't.person + k::bigint * 1000000',
  'suppressions.address_hash': 'sha256(t.address_hash || int4send(k))',
}

interface Column {
  name: string
  type: string
  isGenerated: boolean
  parent: string | null
  isIdentity: boolean
}

interface Table {
  name: string
  columns: Column[]
  rows: number
  /** The distance between the ids of one copy and the next. */
  step: number
  copies: number
}

async function readTable(data: pg.Client, name: string): Promise<Omit<Table, 'copies'>> {
  const { rows: columns } = await data.query<Column>(
    `select a.attname as name, a.atttypid::regtype::text as type, a.attgenerated <> '' as "isGenerated", a.attidentity <> '' as "isIdentity",
       (select k.confrelid::regclass::text from pg_constraint k where k.contype = 'f' and k.conrelid = a.attrelid and k.conkey = array[a.attnum] limit 1) as parent
     from pg_attribute a where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped`,
    [name],
  )
  const hasId = columns.some((column) => column.name === 'id' && column.type === 'bigint')
  const { rows } = await data.query<{ rows: string; step: string }>(
    `select count(*) as rows, ${hasId ? 'coalesce(max(id), 0)' : '0'} + 1 as step from ${name}`,
  )
  return { name, columns, rows: Number(rows[0]?.rows), step: Number(rows[0]?.step) }
}

/** Tables that cannot have more copies than their parent because of unique keys. Every lead needs its steps. */
const COPIED_WITH: Record<string, string> = {
  ticket_words: 'tickets',
  training_progress: 'customers',
  training_attempts: 'customers',
  training_enrolments: 'customers',
  payroll_entries: 'bookings',
  earners: 'workers',
  lead_steps: 'leads',
  onsite_sessions: 'prepaid_blocks',
  onsite_participants: 'onsite_sessions',
}

async function readTables(data: pg.Client, size: number): Promise<Map<string, Table>> {
  const tables = new Map<string, Table>()
  const sizes = { ...FIXED_SIZES, ...Object.fromEntries(LARGE.map((name) => [name, size])) }
  for (const [name, rows] of Object.entries(sizes)) {
    const table = await readTable(data, name)
    const wanted = Math.max(1, Math.ceil(rows / Math.max(1, table.rows)))
    const max = tables.get(COPIED_WITH[name] ?? '')?.copies ?? Number.POSITIVE_INFINITY
    const copies = name === 'lead_steps' ? max : Math.min(wanted, max)
    tables.set(name, { ...table, copies: table.rows === 0 ? 1 : copies })
  }
  return tables
}

/** The statement that copies the rows of a table with new ids and unique values. */
function copyStatement(table: Table, tables: ReadonlyMap<string, Table>): string {
  const columns = table.columns.filter((column) => !column.isGenerated)
  const copyOf = (name: string) => `(k % ${tables.get(name)?.copies ?? 1})`
  const value = ({ name, type, parent }: Column) => {
    const own = `t.${name}`
    const expression = EXPRESSIONS[`${table.name}.${name}`]
    const customers = tables.get('customers')
    if (expression)
      return expression.replaceAll('COPIES', String(customers?.copies)).replaceAll('STEP', String(customers?.step))
    const of = DISTINCT[`${table.name}.${name}`]
    const copy = of ? copyOf(of) : 'k'
    if (of !== undefined && type === 'bytea') return `${own} || int4send(k)`
    if (of !== undefined) return `case when ${copy} = 0 then ${own} else 'c' || ${copy} || '-' || ${own} end`
    if (name === 'id' && type === 'bigint') return `${own} + k::bigint * ${table.step}`
    if (name === 'id' && type === 'uuid') return 'gen_random_uuid()'
    const above = parent === null ? undefined : tables.get(parent)
    if (above && type === 'bigint' && above.copies > 1) return `${own} + ${copyOf(above.name)}::bigint * ${above.step}`
    return own
  }
  const names = columns.map(({ name }) => name).join(', ')
  return `insert into ${table.name} (${names}) overriding system value
    select ${columns.map(value).join(', ')} from ${table.name} t, generate_series(1, ${table.copies - 1}) k`
}

/** The resources of the API that are copies, with their tables. */
const TRACKED: Record<string, string> = {
  customers: 'customers',
  bookings: 'bookings',
  transactions: 'customer_transactions',
  credits: 'credit_entries',
  rewards: 'rewards',
  stretchers: 'stretchers',
  businesses: 'businesses',
  sessions: 'onsite_sessions',
  participants: 'onsite_participants',
  certifications: 'certifications',
  leads: 'leads',
  tickets: 'tickets',
}

/** What programs read: every copy has changed once, and every second record has an id of another system. */
async function fillForPrograms(data: pg.Client, size: number): Promise<void> {
  for (const [resource, table] of Object.entries(TRACKED))
    await data.query(
      `insert into record_changes (resource, record_id, seq, changed_at)
       select $1, id, nextval('record_change_seq'), timestamptz '2026-11-01' - id * interval '1 second' from ${table}
       on conflict do nothing`,
      [resource],
    )
  await data.query(
    `insert into external_refs (source, resource, external_id, record_id, created_at)
     select 'app', resource, 'copy-' || record_id, record_id, changed_at from record_changes
     where record_id % 2 = 0 and resource = any($1) on conflict do nothing`,
    [Object.keys(TRACKED)],
  )
  await data.query(
    `with e as (insert into webhook_endpoints (url, events, source, created_at)
       select 'https://hooks.example.com/' || n, '{customer.updated}', 'app', now() from generate_series(1, 10) n returning id)
     insert into webhook_deliveries (endpoint_id, event_id, event_type, record, body, state, next_attempt_at, settled_at, created_at)
     select e.id, 'evt_copy_' || e.id || '_' || n, 'customer.updated', 'customers ' || n, '{}', 'delivered',
       t.at, t.at, t.at
     from e, generate_series(1, $1::int / 10) n,
       lateral (select timestamptz '2026-11-01' - n * interval '1 second' as at) t`,
    [size],
  )
  // Its rows are tracked by a trigger.
  await data.query(
    `insert into payroll_history (earner_id, type, amount, withheld, employer_tax, work_date, pay_date, created_at)
     select e.ids[1 + n % cardinality(e.ids)], 'session', 100, 18, 7.65, date '2020-01-01' + n % 2200, date '2020-01-14' + n % 2200, now()
     from (select array_agg(id) as ids from earners) e, generate_series(1, $1::int) n`,
    [size],
  )
}

/** Whether a table grows with the company. Reads of other tables say nothing about growth. */
export const isLarge = (table: string) => LARGE.includes(table) || FILLED.includes(table) || /^events_/.test(table)

/**
 * Grows the sample company with copies of itself. Each row is copied as often as its table needs, together with the rows
 * that belong to it. Stored totals are multiplied too.
 */
export async function growCompany(data: pg.Client, size: number, log: (line: string) => void): Promise<void> {
  await data.query('begin')
  const tables = await readTables(data, size)
  await withoutIndexes(data, async () => {
    await data.query('set local session_replication_role = replica')
    for (const table of tables.values()) {
      if (table.copies < 2) continue
      const startedAt = performance.now()
      await data.query(copyStatement(table, tables))
      log(
        `${table.name}: ${formatInteger(table.rows * table.copies)} rows, ${Math.round(performance.now() - startedAt)} ms`,
      )
    }
    await data.query('set local session_replication_role = default')
  })
  // Totals that triggers maintain. Every entry was copied equally often.
  const times = tables.get('payroll_entries')?.copies ?? 1
  await data.query(
    `update payroll_totals set entries = entries * $1, amount = amount * $1, withheld = withheld * $1, employer_tax = employer_tax * $1`,
    [times],
  )
  await data.query('update payroll_transaction_totals set transactions = transactions * $1', [
    tables.get('payroll_transactions')?.copies ?? 1,
  ])
  for (const { name, columns } of tables.values())
    if (columns.some((column) => column.name === 'id' && column.isIdentity))
      await data.query(`select setval(pg_get_serial_sequence('${name}', 'id'), (select max(id) from ${name}))`)
  await fillForPrograms(data, size)
  await recountAll(data)
  await data.query('commit')
}
