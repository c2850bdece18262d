import { DAY, SECOND } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { withoutSecrets } from '#platform/security/scrub.ts'
import type { Services } from '#platform/services.ts'
import { type EventStore, makeEventStore, type StoredEvent } from '#platform/telemetry/event-store.ts'
import { EventNames } from './event-names.queries.ts'
import { acceptedTimes, type Checked, checkRow } from './ingest.rules.ts'

/** Limits on distinct names: a sender that puts ids into them must not inflate the figures. */
const MAX_ACTIONS = 1_000
const MAX_PATHS = 5_000
const OTHER_PATH = '/(other)'

type ValidEvent = Extract<Checked, { event: unknown }>['event']
export type RejectedRow = Exclude<Checked, { event: unknown }>

/** Stores incoming events, with a cache of the known names. */
export class EventIngest {
  readonly #names = new EventNames()
  #refreshedAt = Number.NEGATIVE_INFINITY
  #store: EventStore | undefined

  async store({ pool, db, clock }: Services, rows: readonly unknown[]) {
    const now = clock.now()
    const checked = rows.map((row, index) => checkRow(row, index, now))
    await this.#refreshNames(db, checked)
    const rejected: RejectedRow[] = []
    const fresh = new Map<string, StoredEvent>()
    for (const [index, row] of checked.entries()) {
      if (!('event' in row)) rejected.push(row)
      else if (this.#isTooMany('action', row.event.action_type, MAX_ACTIONS))
        rejected.push({
          index,
          id: row.event.id,
          error: `action_type: the limit of ${MAX_ACTIONS} different values is reached`,
          isMalformed: false,
        })
      else if (!fresh.has(row.event.id)) fresh.set(row.event.id, this.#toStore(row.event))
    }
    this.#store ??= makeEventStore(pool)
    const events = [...fresh.values()]
    const today = Math.floor(now.getTime() / DAY)
    const { written } = await this.#store.write(events, {
      late: events.filter((event) => Math.floor(event.at.getTime() / DAY) !== today),
      since: acceptedTimes(now).from,
    })
    return { written, duplicates: rows.length - rejected.length - written, rejected }
  }

  #toStore(event: ValidEvent): StoredEvent {
    return {
      id: event.id,
      at: event.at,
      source: 'customer',
      userId: event.user_id ?? undefined,
      actionType: event.action_type,
      outcome: event.event_outcome,
      method: event.method,
      url: event.url,
      path: this.#isTooMany('path', event.path, MAX_PATHS) ? OTHER_PATH : event.path,
      status: event.response_status,
      ms: event.response_time,
      address: event.ip_address ?? undefined,
      failure: event.error_text ? { text: withoutSecrets(event.error_text) } : undefined,
    }
  }

  #isTooMany = (kind: 'action' | 'path', name: string, most: number) =>
    this.#names.count(kind) >= most && this.#names.idOf(kind, name) === undefined

  async #refreshNames(db: Db, rows: readonly Checked[]): Promise<void> {
    const isNew = (row: Checked) =>
      'event' in row &&
      (this.#names.idOf('path', row.event.path) === undefined ||
        this.#names.idOf('action', row.event.action_type) === undefined)
    if (performance.now() - this.#refreshedAt < SECOND || !rows.some(isNew)) return
    this.#refreshedAt = performance.now()
    await this.#names.refresh(db)
  }
}
