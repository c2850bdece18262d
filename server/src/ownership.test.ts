// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of code, not texts
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '#platform/paths.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'

/** The tables of each area. Only the area's files write them; others call its `public.ts` or register a hook. */
const owners: Readonly<Record<string, string>> = {
  access: `api_key_secrets api_key_usage api_keys deprecated_key_usage devices onboarding_links passkey_challenges passkeys recovery_codes recovery_requests sample_keys sessions
    sign_in_attempts sign_in_failures totp_replacements webhook_deliveries webhook_endpoints webhook_secrets workers`,
  analytics: 'event_names event_rollup_state event_rollup_version event_rollups event_users',
  backups: 'backup_files backups',
  businesses: `block_entries business_emails business_notes businesses calendar_feeds onsite_participants onsite_sessions
    prepaid_blocks zones`,
  company: 'backup_key_copies company mail_server',
  certifications: 'certification_types certification_courses certification_warnings certifications signing_keys',
  growth: `campaign_marks campaign_members campaign_places city_task_marks city_tasks growth_days growth_outliers growth_partners growth_places
    growth_state partner_outreach referral_figures referral_reviews referrals`,
  imports: 'import_maps import_rows imports',
  marketing: 'campaign_media campaign_pushes campaigns lead_notes lead_steps leads merged_leads meta_leadgens',
  payroll: `earner_tax_profiles earners pay_periods payroll_adjustments payroll_checks payroll_dues payroll_entries
    payroll_history payroll_ledger payroll_operations payroll_settings payroll_settlements payroll_starts payroll_totals payroll_transaction_days
    payroll_transaction_totals payroll_transactions payroll_undos payroll_voids`,
  platform: `audit_chain audit_log audit_values event_deltas event_failures events idempotency_keys inbound_events installation
    external_refs kept_counts mailbox migrations outbox rate_limits record_changes schedule_runs schedules suppressions
    worker_uploads`,
  stretchers: 'stretchers',
  support: `absences bookings credit_entries customer_notes customer_transactions customers email_logs kb_suggestion_reviews
    kb_suggestions image_senders mailbox_mails mailboxes notification_recipients notifications paused_workers rewards round_robin_members round_robins saved_replies texts ticket_emails ticket_events
    ticket_files ticket_links ticket_mailboxes ticket_messages ticket_notes ticket_presence ticket_tags ticket_tasks ticket_views ticket_watchers ticket_words promise_settings ticket_promises ticket_report_blocks ticket_report_changes ticket_times ticket_unread rating_settings ticket_ratings tickets`,
  tech: 'error_counts error_groups error_people health_samples health_states',
  training: `training_asset_uses training_assets training_attempts training_course_prerequisites training_courses
    training_enrolments training_extra_attempts training_lesson_prerequisites training_lesson_references
    training_lessons training_module_prerequisites training_modules training_progress`,
}
/** Tables without an owner or with several, and owned tables that do not exist. */
function findMisowned(lists: Readonly<Record<string, string>>, existing: readonly string[]): string[] {
  const owned = Object.values(lists).flatMap((list) => list.split(/\s+/))
  return [...new Set([...owned, ...existing])].filter(
    (table) => owned.filter((each) => each === table).length !== 1 || !existing.includes(table),
  )
}

const ownerOf = new Map(Object.entries(owners).flatMap(([area, tables]) => tables.split(/\s+/).map((t) => [t, area])))

/** Files that write to tables given by their callers, and why they may. */
const anyTable: Readonly<Record<string, string>> = {
  'backups/restore/restore.queries.ts': 'a restore fills every table',
  'platform/db/copy.ts': 'its callers name the table and are checked',
  'platform/db/restore-mark.ts': 'it has its own schema',
  'platform/security/reseal.ts': 'an area passes its own table',
  'platform/sync/columns.queries.ts': 'its callers name the table and are checked',
}

const NAMED =
  /(?:\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+(?:only\s+)?(?:public\.)?|\b(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'|\bcopyRows\(\s*\w+,\s*'|\bcolumnsOf<\w+>\(\s*')([a-z_]+)/gi
const UNNAMED =
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+"?\$\{|\bcopy \$\{[^`]* from stdin|\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*[^'\s]/gi

const sources = globSync('**/*.ts', { cwd: join(root, 'server/src'), exclude: ['**/*.{test,testing,factory}.ts'] })
  .filter((file) => !file.startsWith('platform/testing/'))
  .map((file) => ({ file, text: readFileSync(join(root, 'server/src', file), 'utf8') }))

const findWrites = ({ file, text }: { file: string; text: string }) =>
  [...text.matchAll(NAMED)].map(([, table = '']) => ({
    file,
    area: file.split('/')[0],
    owner: ownerOf.get(table),
    table,
  }))

const findForeign = (writes: ReturnType<typeof findWrites>) =>
  writes
    .filter(({ owner, area }) => owner && owner !== area)
    .map(({ file, table, owner }) => `${file} writes ${table} of ${owner}`)

let server: TestServer
let tables: string[]
beforeAll(async () => {
  server = await startTestServer()
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and not relispartition order by 1`.execute(server.db)
  tables = rows.map(({ name }) => name)
})
afterAll(() => server.stop())

describe('the tables of the database', () => {
  it('have exactly one owner each, and all listed tables exist', () => {
    expect(tables.length).toBeGreaterThan(100)
    expect(findMisowned(owners, tables)).toEqual([])
  })

  it('are written only by their owner', () => {
    const writes = sources.flatMap(findWrites)
    expect(writes.filter(({ owner }) => owner).length).toBeGreaterThan(250)
    expect(findForeign(writes)).toEqual([])
  })

  it('are named literally in all writes, with few exceptions', () => {
    const unnamed = sources.filter(({ text }) => text.match(UNNAMED)).map(({ file }) => file)
    expect(unnamed.toSorted()).toEqual(Object.keys(anyTable))
  })
})

describe('the check itself', () => {
  it('finds tables with two owners or none, and tables that do not exist', () => {
    expect(findMisowned({ a: 'one two', b: 'three' }, ['one', 'two', 'three'])).toEqual([])
    expect(findMisowned({ a: 'one two', b: 'two' }, ['one', 'two'])).toEqual(['two'])
    expect(findMisowned({ a: 'one' }, ['one', 'two'])).toEqual(['two'])
    expect(findMisowned({ a: 'one two' }, ['one'])).toEqual(['two'])
  })
  it.each([
    "db.insertInto('customers').values(row)",
    "db\n  .updateTable('customers')",
    'sql`delete from only public.customers where id = 1`',
    'sql`with x as (select 1) Insert Into customers values (1)`',
    "copyRows(client, 'customers', rows)",
    "columnsOf<SyncedCustomer>('customers', types)",
  ])('finds a write into a table of another area: %s', (text) => {
    const file = 'growth/breach.queries.ts'
    expect(findForeign(findWrites({ file, text }))).toEqual([`${file} writes customers of support`])
    expect(findForeign(findWrites({ file: 'support/fine.queries.ts', text }))).toEqual([])
  })
  it.each(['sql`update ${table} set x = 1`', 'db.insertInto(table)'])('finds an unnamed table: %s', (text) => {
    expect(text.match(UNNAMED)).not.toBeNull()
  })
})
