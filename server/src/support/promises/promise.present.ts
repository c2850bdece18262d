import type { CustomerRank, PromiseKind, TicketPromise } from '@limber/contract/support/promises/promise.ts'
import type { TicketPriority, TicketStatus } from '@limber/contract/support/tickets/ticket.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Outcome } from './promise.rules.ts'

/** A promise as JSON from the database. */
export interface PromiseJson {
  kind: PromiseKind
  priority: TicketPriority
  rank: CustomerRank
  target_ms: number
  spent_ms: number
  is_running: boolean
  started_at: string
  due_at: string | null
  ended_at: string | null
  outcome: Outcome | null
}

const MAX_PROMISES = 100
const MINUTE = 60_000

const json = sql`json_build_object('kind', p.kind, 'priority', p.priority, 'rank', p.rank, 'target_ms', p.target_ms,
  'spent_ms', p.spent_ms, 'is_running', p.running_since is not null, 'started_at', p.started_at, 'due_at', p.due_at,
  'ended_at', p.ended_at, 'outcome', p.outcome)`

/**
 * The open promise of ticket `t`, or else the newest: of a closed ticket the newest that was missed, if one was. A merge
 * can begin one before another that has ended.
 */
export const promiseJson: RawBuilder<unknown> = sql`(
  select ${json} from ticket_promises p where p.ticket_id = t.id and p.target_ms is not null
  order by t.status = 'closed' and p.outcome is not distinct from 'missed' desc, p.ended_at desc nulls first, p.started_at desc limit 1)`

/** The same one of all promises, which are in order of time. */
export const shownPromise = (promises: readonly PromiseJson[], status: TicketStatus): PromiseJson | null =>
  (status === 'closed' && promises.findLast(({ outcome }) => outcome === 'missed')) || (promises.at(-1) ?? null)

/** The promises of ticket `t`, oldest first and the open one last. */
export const promisesJson: RawBuilder<unknown> = sql`(
  select coalesce(json_agg(${json} order by p.ended_at, p.started_at), '[]') from (
    select * from ticket_promises where ticket_id = t.id and target_ms is not null
    order by ended_at desc nulls first, started_at desc limit ${sql.lit(MAX_PROMISES)}) p)`

const moment = (text: string | null) => text && new Date(text).toISOString()
const minutes = (ms: number) => Math.round(ms / MINUTE)

export function presentPromise(row: PromiseJson): TicketPromise {
  const { outcome, ended_at, is_running, target_ms, spent_ms } = row
  const isPaused = ended_at === null && !is_running
  return {
    kind: row.kind,
    priority: row.priority,
    rank: row.rank,
    targetMinutes: minutes(target_ms),
    startedAt: new Date(row.started_at).toISOString(),
    dueAt: moment(row.due_at),
    leftMinutes: isPaused ? Math.max(0, Math.floor((target_ms - spent_ms) / MINUTE)) : null,
    endedAt: moment(ended_at),
    state: outcome ?? (is_running ? 'running' : 'paused'),
    tookMinutes: ended_at !== null && outcome !== 'unanswered' ? minutes(spent_ms) : null,
  }
}
