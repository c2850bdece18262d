import { ingestEvents } from '@limber/contract/analytics/events/event.ts'
import { DAY, SECOND, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Route, serve } from '#platform/http/routes.ts'
import { admitByKey } from '#platform/security/admit-by-key.ts'
import { withoutSecrets } from '#platform/security/scrub.ts'
import type { Services } from '#platform/services.ts'
import { type EventStore, makeEventStore, type StoredEvent } from '#platform/telemetry/event-store.ts'
import { EventNames } from './event-names.queries.ts'
import { type Checked, checkRow, LATEST } from './ingest.rules.ts'
import { recordTurnedAway } from './record-turned-away.ts'

/** So many different names are drawn apart; a sender that puts ids into them must not blow up the figures. */
const ACTIONS_MOST = 1_000
const PATHS_MOST = 5_000
const OTHER_PATH = '/(other)'

type Taken = Extract<Checked, { event: unknown }>['event']
type Turned = Exclude<Checked, { event: unknown }>

/** Takes events in; knows which names there are. */
class Intake {
  readonly #names = new EventNames()
  #lookedAt = Number.NEGATIVE_INFINITY
  #store: EventStore | undefined

  async take({ pool, db, clock }: Services, rows: readonly unknown[]) {
    const now = clock.now()
    const checked = rows.map((row, index) => checkRow(row, index, now))
    await this.#look(db, checked)
    const turned: Turned[] = []
    const fresh = new Map<string, StoredEvent>()
    for (const [index, row] of checked.entries()) {
      if (!('event' in row)) turned.push(row)
      else if (this.#isTooMany('action', row.event.action_type, ACTIONS_MOST))
        turned.push({
          index,
          id: row.event.id,
          error: `action_type: there are ${ACTIONS_MOST} different ones already`,
          isMalformed: false,
        })
      else if (!fresh.has(row.event.id)) fresh.set(row.event.id, this.#toStore(row.event))
    }
    this.#store ??= makeEventStore(pool)
    const events = [...fresh.values()]
    const today = Math.floor(now.getTime() / DAY)
    const { written } = await this.#store.write(events, {
      late: events.filter((event) => Math.floor(event.at.getTime() / DAY) !== today),
      since: shift(now, -LATEST - DAY),
    })
    return { written, duplicates: rows.length - turned.length - written, turned }
  }

  #toStore(event: Taken): StoredEvent {
    return {
      id: event.id,
      at: event.at,
      source: 'customer',
      userId: event.user_id ?? undefined,
      actionType: event.action_type,
      outcome: event.event_outcome,
      method: event.method,
      url: event.url,
      path: this.#isTooMany('path', event.path, PATHS_MOST) ? OTHER_PATH : event.path,
      status: event.response_status,
      ms: event.response_time,
      address: event.ip_address ?? undefined,
      failure: event.error_text ? { text: withoutSecrets(event.error_text) } : undefined,
    }
  }

  #isTooMany = (kind: 'action' | 'path', name: string, most: number) =>
    this.#names.count(kind) >= most && this.#names.idOf(kind, name) === undefined

  async #look(db: Db, rows: readonly Checked[]): Promise<void> {
    const isNew = (row: Checked) =>
      'event' in row &&
      (this.#names.idOf('path', row.event.path) === undefined ||
        this.#names.idOf('action', row.event.action_type) === undefined)
    if (performance.now() - this.#lookedAt < SECOND || !rows.some(isNew)) return
    this.#lookedAt = performance.now()
    await this.#names.refresh(db)
  }
}

/** The door for the events of the customer product. */
export function ingestRoutes(): Route[] {
  const intake = new Intake()
  return [
    serve(
      ingestEvents,
      async ({ body, services, request }) => {
        const { written, duplicates, turned } = await intake.take(services, body.events)
        if (turned.length > 0) await recordTurnedAway(services, request, body.events.length, turned)
        if (turned.length === body.events.length) throw refuseAll(turned)
        return {
          accepted: written,
          duplicates,
          rejected: turned.map(({ index, id, error }) => ({ index, id, error })),
        }
      },
      { transaction: 'none', admit: admitByKey(ingestEvents, 'x-ingest-key', ({ ingestKey }) => ingestKey) },
    ),
  ]
}

function refuseAll(turned: readonly Turned[]) {
  const code = turned.some((row) => row.isMalformed) ? 'all_malformed' : 'all_refused'
  return refuse(ingestEvents, code, {
    words: { first: turned[0]?.error ?? '' },
    fields: turned.map(({ index, error }) => ({ path: `events.${index}`, text: error })),
  })
}
