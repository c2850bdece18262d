import type { DatabasePool } from './pool.ts'

/** What connections set for themselves when there is no pooler between. */
const SETTINGS = {
  timezone: 'UTC',
  statement_timeout: '15s',
  lock_timeout: '5s',
  idle_in_transaction_session_timeout: '30s',
  // Compiling a statement takes longer than most of our statements run.
  jit: 'off',
} as const

/** Through a pooler in transaction mode, the settings must come from the role. Throws with the statements that set them. */
export async function checkPooler(pool: DatabasePool): Promise<void> {
  const { rows } = await pool.query<{ name: string; value: string; role: string; database: string }>(
    `select name, current_setting(name) as value, quote_ident(current_user) as role, quote_ident(current_database()) as database
      from unnest($1::text[]) name`,
    [Object.keys(SETTINGS)],
  )
  const missing = rows.filter(({ name, value }) => value !== SETTINGS[name as keyof typeof SETTINGS])
  if (missing.length === 0) return
  const statements = missing.map(
    ({ name, role, database }) =>
      `alter role ${role} in database ${database} set ${name} = '${SETTINGS[name as keyof typeof SETTINGS]}';`,
  )
  throw new Error(
    `With DATABASE_POOL_MODE=transaction the role's settings apply. Run these statements, then reconnect the pooler:\n${statements.join('\n')}`,
  )
}
