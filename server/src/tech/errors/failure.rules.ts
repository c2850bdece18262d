import { TIERS } from './error-window.rules.ts'

/** Identifies a group of failures. */
export interface GroupKey {
  source: 'staff' | 'customer'
  method: string
  path: string
  status: number
}

/** The person affected by a failure and its message. */
export interface FailureDetails {
  at: Date
  user_id: number | null
  worker_id: number | null
  code: string | null
  text: string | null
  cause: string | null
}

export type Failure = GroupKey & FailureDetails

/** Totals of a group. */
export interface GroupTotals extends GroupKey {
  first_seen_at: Date
  last_seen_at: Date
  total: number
  newest_code: string | null
  newest_text: string | null
  newest_cause: string | null
}

/** Failures with the same path and status are assumed to have the same cause. */
export const groupKey = ({ source, method, path, status }: GroupKey) => `${status} ${method} ${source} ${path}`

export interface GroupAdditions {
  draft: GroupTotals
  counts: { tier: 0 | 1; at: Date; count: number }[]
  people: { person: number; last_at: Date }[]
}

/** Customers have positive ids, workers negative ones. */
const personOf = ({ user_id, worker_id }: Failure) => user_id ?? (worker_id === null ? null : -worker_id)

const later = (a: Date | undefined, b: Date) => (a && a > b ? a : b)

function summarize(rows: readonly Failure[]): GroupAdditions {
  const counts = new Map<string, GroupAdditions['counts'][number]>()
  const people = new Map<number, Date>()
  for (const row of rows) {
    for (const { tier, size } of TIERS) {
      const at = new Date(Math.floor(row.at.getTime() / size) * size)
      const key = `${tier} ${at.getTime()}`
      counts.set(key, { tier, at, count: (counts.get(key)?.count ?? 0) + 1 })
    }
    const person = personOf(row)
    if (person !== null) people.set(person, later(people.get(person), row.at))
  }
  const inOrder = rows.toSorted((a, b) => a.at.getTime() - b.at.getTime())
  const [first] = inOrder
  const newest = inOrder.at(-1)
  if (!first || !newest) throw new Error('A group has at least one failure.')
  const { source, method, path, status } = newest
  return {
    draft: {
      source,
      method,
      path,
      status,
      first_seen_at: first.at,
      last_seen_at: newest.at,
      total: rows.length,
      newest_code: newest.code,
      newest_text: newest.text,
      newest_cause: newest.cause,
    },
    counts: [...counts.values()],
    people: [...people].map(([person, last_at]) => ({ person, last_at })),
  }
}

/** Totals to add to each group, by group key. */
export const summarizeFailures = (rows: readonly Failure[]): Map<string, GroupAdditions> =>
  new Map([...Map.groupBy(rows, groupKey)].map(([key, some]) => [key, summarize(some)]))
