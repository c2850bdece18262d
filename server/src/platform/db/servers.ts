import pg from 'pg'

/** A server that accepts writes. */
interface Primary {
  /** The connection URL of this server alone. */
  url: string
  host: string
  port: number
  /** Rises with each promotion. */
  timeline: number
}

const PROBE_WITHIN = 3_000
/** How long a server that answers late may still turn out to be the newer primary. */
const SETTLE = 300

const pattern = /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)\??(.*)$/i

/** One connection URL per server of a connection URL: `postgres://user@a:5432,b:5432/limber`. */
export function serversOf(databaseUrl: string): readonly string[] {
  const [, start = '', authority = '', path = '', query = ''] = pattern.exec(databaseUrl) ?? []
  const servers = authority.split(',')
  if (servers.length < 2) return [databaseUrl]
  const parameters = new URLSearchParams(query)
  parameters.delete('target_session_attrs')
  const rest = parameters.size > 0 ? `${path}?${parameters}` : path
  return servers.map((server) => `${start}${server}${rest}`)
}

/** What a person reads of a server: without user and password. */
const nameOf = (url: string) => new URL(url).host

type Answer = { primary: Primary } | { problem: string }

async function probe(url: string): Promise<Answer> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PROBE_WITHIN,
    query_timeout: PROBE_WITHIN,
    application_name: 'limber-probe',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ timeline: number | null }>(
      `select case when pg_is_in_recovery() or current_setting('transaction_read_only')::boolean then null
        else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline`,
    )
    const timeline = rows[0]?.timeline ?? null
    if (timeline === null) return { problem: `${nameOf(url)} is read-only` }
    return { primary: { url, host: client.host, port: client.port, timeline } }
  } catch (error) {
    return { problem: `${nameOf(url)}: ${(error instanceof Error && error.message) || 'no connection'}` }
  } finally {
    // A server that hangs would never answer the goodbye.
    void client.end().catch(() => {})
  }
}

/** None of several servers accepts writes. The callers get 503. */
class NoPrimaryError extends Error {
  readonly code = '08001'
}

/**
 * Asks all servers at once which one accepts writes. Of two, the one with the later timeline: the other one was replaced
 * while it was cut off, and what it accepts would be lost.
 */
export async function findPrimary(servers: readonly string[], minTimeline = 0): Promise<Primary> {
  // A process that has just started is often too busy to hear the first answer in time.
  return askAll(servers, minTimeline).catch(() => askAll(servers, minTimeline))
}

async function askAll(servers: readonly string[], minTimeline: number): Promise<Primary> {
  const answers: Answer[] = []
  const settled = Promise.withResolvers<void>()
  let timer: NodeJS.Timeout | undefined
  const asked = servers.map(async (url) => {
    const answer = await probe(url)
    answers.push(answer)
    if ('primary' in answer) timer ??= setTimeout(settled.resolve, SETTLE)
  })
  await Promise.race([Promise.all(asked), settled.promise])
  clearTimeout(timer)
  const [newest] = answers
    .flatMap((answer) => ('primary' in answer ? [answer.primary] : []))
    .toSorted((a, b) => b.timeline - a.timeline)
  if (newest && newest.timeline >= minTimeline) return newest
  const problems = answers.map((answer) =>
    'problem' in answer ? answer.problem : `${nameOf(answer.primary.url)} was replaced by another server`,
  )
  throw new NoPrimaryError(`No server of DATABASE_URL accepts writes: ${problems.join('; ')}.`)
}

/** The server for one connection: the one that accepts writes, if there are several. */
export async function primaryOf(databaseUrl: string): Promise<Pick<Primary, 'url' | 'timeline'>> {
  const servers = serversOf(databaseUrl)
  return servers.length === 1 ? { url: databaseUrl, timeline: 0 } : findPrimary(servers)
}
export const primaryUrl = async (databaseUrl: string): Promise<string> => (await primaryOf(databaseUrl)).url

const REUSE_FOR = 1_000

/**
 * Finds the server for new connections of a pool. Callers that come together share one look. `onChange` hears when
 * another server has taken over.
 */
export function makePrimaryFinder(servers: readonly string[], onChange: () => void) {
  let finding: Promise<Primary> | undefined
  let foundAt = Number.NEGATIVE_INFINITY
  let known: Primary | undefined
  return {
    /** Look again, whatever was found just now. */
    forget() {
      foundAt = Number.NEGATIVE_INFINITY
    },
    async find(): Promise<Primary> {
      if (known && performance.now() - foundAt < REUSE_FOR) return known
      finding ??= findPrimary(servers, known?.timeline)
        .then((found) => {
          const isChange = known && (known.url !== found.url || known.timeline !== found.timeline)
          known = found
          foundAt = performance.now()
          if (isChange) onChange()
          return found
        })
        .finally(() => {
          finding = undefined
        })
      return finding
    },
  }
}
