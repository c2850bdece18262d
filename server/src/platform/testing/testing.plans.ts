import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import pg from 'pg'

/** One scan of a table, with the number of rows it read. */
interface Scan {
  table: string
  by: string
  rows: number
}

/** What one statement read and changed, as measured by PostgreSQL. */
export interface StatementCost {
  text: string
  /** Rows read by scans, including filtered ones. */
  read: number
  /** Rows inserted, updated or deleted. */
  changed: number
  /** Pages of 8 kB read, from memory or disk. */
  buffers: number
  ms: number
  scans: Scan[]
}

/** The statements of a request, including the session lookup and triggers. */
export interface RequestCost {
  statements: StatementCost[]
  read: number
  changed: number
  buffers: number
  ms: number
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: PlanNode[]
}

interface Explained {
  'Query Text': string
  Plan: PlanNode
}

/** PostgreSQL reports rows as the average per loop. */
const rowsOf = (node: PlanNode) =>
  ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
  (node['Actual Loops'] ?? 0)

/** Table scans only; rows of CTEs, functions and subqueries are counted in the scans below them. */
const isScan = (node: PlanNode) => node['Relation Name'] !== undefined && / Scan$/.test(node['Node Type'])

function measure({ 'Query Text': text, Plan: plan }: Explained, ms: number): StatementCost {
  const cost: StatementCost = { text, read: 0, changed: 0, buffers: 0, ms, scans: [] }
  const visit = (node: PlanNode) => {
    if (isScan(node)) {
      const rows = rowsOf(node)
      cost.read += rows
      cost.scans.push({ table: node['Relation Name'] ?? '', by: node['Index Name'] ?? node['Node Type'], rows })
    }
    // Changed rows come from the child node, with or without RETURNING.
    if (node['Node Type'] === 'ModifyTable')
      for (const child of (node.Plans ?? []).slice(0, 1))
        cost.changed += (child['Actual Rows'] ?? 0) * (child['Actual Loops'] ?? 0)
    for (const child of node.Plans ?? []) visit(child)
  }
  visit(plan)
  cost.buffers = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
  return cost
}

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  // To the client, where the request is known; the server log knows only connections.
  'auto_explain.log_level': 'notice',
}

/** Makes a database explain every statement of new connections. */
export async function explainStatements(databaseUrl: string, more: Record<string, string> = {}): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  // Its settings are known only after the library is loaded.
  await client.query(`load 'auto_explain'`)
  const name = client.escapeIdentifier(client.database ?? '')
  for (const [setting, value] of Object.entries({ ...SETTINGS, ...more }))
    await client.query(`alter database ${name} set ${setting} = ${client.escapeLiteral(value)}`)
  await client.end()
}

/** Describes the scan that read the most rows. */
export function widestScan({ scans }: StatementCost): string {
  const [widest] = scans.toSorted((a, b) => b.rows - a.rows)
  return widest ? `${Math.round(widest.rows)} rows of ${widest.table} by ${widest.by}` : 'no scan'
}

/** Measures the requests that this process serves from such a database. Statements outside requests are ignored. */
export function watchPlans() {
  const requests = new AsyncLocalStorage<StatementCost[]>()
  const owners = new WeakMap<pg.Client, StatementCost[] | undefined>()
  const heard = new WeakSet<pg.Client>()
  let latest: StatementCost[] = []

  const onRequest = () => {
    latest = []
    requests.enterWith(latest)
  }
  subscribe('http.server.request.start', onRequest)

  const { query } = pg.Client.prototype as unknown as { query: (...all: unknown[]) => unknown }
  const watched = function (this: pg.Client, ...all: unknown[]) {
    owners.set(this, requests.getStore())
    if (!heard.has(this)) {
      heard.add(this)
      this.on('notice', ({ message = '' }) => {
        const [, ms, json] = /^duration: ([\d.]+) ms\s+plan:\s*(\{.*)$/s.exec(message) ?? []
        if (json) owners.get(this)?.push(measure(JSON.parse(json) as Explained, Number(ms)))
      })
    }
    return query.apply(this, all)
  }
  pg.Client.prototype.query = watched as never

  return {
    /** What the latest request cost. */
    cost(): RequestCost {
      const sum = (part: 'read' | 'changed' | 'buffers' | 'ms') => latest.reduce((all, one) => all + one[part], 0)
      return {
        statements: latest,
        read: sum('read'),
        changed: sum('changed'),
        buffers: sum('buffers'),
        ms: sum('ms'),
      }
    },
    stop() {
      unsubscribe('http.server.request.start', onRequest)
      pg.Client.prototype.query = query as never
    },
  }
}
