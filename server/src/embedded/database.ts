import pg from 'pg'

/** Makes the database unless it is there. */
export async function ensureDatabase(adminUrl: string, name: string): Promise<void> {
  await withClient(adminUrl, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}`)
  })
}

/** Throws the database of a URL away and makes it anew, empty. */
export async function recreateDatabase(url: string): Promise<void> {
  const admin = new URL(url)
  const name = pg.escapeIdentifier(decodeURIComponent(admin.pathname.slice(1)))
  admin.pathname = '/postgres'
  await withClient(admin.href, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`)
    await client.query(`create database ${name}`)
  })
}

export async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}
