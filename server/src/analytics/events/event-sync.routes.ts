import { createHash } from 'node:crypto'
import {
  EventItem,
  readEventByExternalId,
  readEventRecord,
  sendEvents,
  walkEvents,
} from '@limber/contract/analytics/events/event-sync.ts'
import type { BatchReply, ItemResult } from '@limber/contract/kit/batch.ts'
import { redactUrl } from '@limber/contract/kit/redact-url.ts'
import { refusals, refuse } from '#platform/http/refusal.ts'
import { type Route, serve } from '#platform/http/routes.ts'
import type { Services } from '#platform/services.ts'
import { itemErrors } from '#platform/sync/read-items.ts'
import { resolveReferences } from '#platform/sync/resolve-references.ts'
import { countResults } from '#platform/sync/run-batch.ts'
import { type EventRow, findEvent, findEventsBetween, findEventsByIds, findEventsInOrder } from './event.queries.ts'
import { acceptedTimes } from './ingest.rules.ts'
import type { EventIngest } from './ingest.ts'

/** The id of an event that another system names by something else than a UUID. The same name gives the same id. */
function uuidOf(source: string, externalId: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(externalId)) return externalId.toLowerCase()
  const hex = createHash('sha256').update(`event:${source}:${externalId}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

interface Entry {
  index: number
  id: string
  externalId: string | null
  at: string
  item: EventItem
}

const immutable = { path: '', code: 'immutable', text: 'This event was already accepted and cannot change.' }

async function takeEvents(
  services: Services,
  ingest: EventIngest,
  items: readonly unknown[],
  source: string,
): Promise<BatchReply> {
  const results: ItemResult[] = []
  const entries = items.flatMap((raw, index): Entry[] => {
    const parsed = EventItem.safeParse(raw)
    if (parsed.success) {
      const { external_id, id, created_at, createdAt } = parsed.data
      const eventId = id ?? uuidOf(source, external_id ?? '')
      return [
        {
          index,
          id: eventId,
          externalId: external_id ?? id ?? null,
          at: created_at ?? createdAt ?? '',
          item: parsed.data,
        },
      ]
    }
    results[index] = { ...itemErrors(raw, parsed.error) }
    return []
  })
  const references = await resolveReferences(
    services.db,
    entries.map(({ item }) =>
      item.customer ? [{ path: 'customer', resource: 'customers' as const, reference: item.customer }] : [],
    ),
    source,
  )
  const known = new Map((await findEventsByIds(services.db, entries)).map((row) => [row.id, row]))
  const fresh: { entry: Entry; userId: number | null; row: object }[] = []
  for (const [at, entry] of entries.entries()) {
    const { missing = [], references: found = {} } = references[at] ?? {}
    const user_id = found.customer ?? null
    const before = known.get(entry.id)
    const head = { external_id: entry.externalId }
    if (missing.length > 0) results[entry.index] = { ...head, status: 'rejected', errors: missing }
    else if (before)
      results[entry.index] = isSame(before, entry, user_id)
        ? { ...head, status: 'unchanged', id: entry.id }
        : { ...head, status: 'rejected', errors: [immutable] }
    else fresh.push({ entry, userId: user_id, row: inputOf(entry, user_id) })
  }
  const { rejected, duplicates } = await ingest.store(
    services,
    fresh.map(({ row }) => row),
  )
  // Not stored: the same event twice, or an id that another event of these days has.
  const entriesToStore = fresh.map(({ entry }) => entry)
  const stored =
    duplicates === 0 ? [] : await findEventsBetween(services.db, entriesToStore, acceptedTimes(services.clock.now()))
  const storedById = Map.groupBy(stored, ({ id }) => id)
  const errors = new Map(rejected.map((each) => [each.index, each.error]))
  const seen = new Set<string>()
  for (const [at, { entry, userId }] of fresh.entries()) {
    const head = { external_id: entry.externalId }
    const text = errors.get(at)
    const named = storedById.get(entry.id)
    if (text === undefined && named && !named.some((row) => isSame(row, entry, userId))) {
      results[entry.index] = { ...head, status: 'rejected', errors: [immutable] }
      continue
    }
    const [, path = '', rest = text ?? ''] = /^(\w+): (.*)$/s.exec(text ?? '') ?? []
    const field = path === 'createdAt' ? 'created_at' : path
    results[entry.index] =
      text === undefined
        ? { ...head, status: seen.has(entry.id) ? 'unchanged' : 'created', id: entry.id }
        : { ...head, status: 'rejected', errors: [{ path: field, code: 'invalid', text: rest }] }
    seen.add(entry.id)
  }
  return countResults(results)
}

const inputOf = ({ id, at, item }: Entry, user_id: number | null) => {
  const { external_id: _, customer: __, created_at: ___, ...fields } = item
  return { ...fields, id, user_id, createdAt: at }
}

const isSame = (row: EventRow, { at, item }: Entry, user_id: number | null) =>
  row.created_at.getTime() === new Date(at).getTime() &&
  row.user_id === user_id &&
  row.action_type === item.action_type &&
  row.event_outcome === item.event_outcome &&
  row.method === item.method &&
  redactUrl(row.url) === redactUrl(item.url).slice(0, row.url.length) &&
  row.response_status === item.response_status

const present = (row: EventRow) => ({
  id: row.id,
  external_ids: {},
  updated_at: row.created_at.toISOString(),
  customer_id: row.user_id,
  action_type: row.action_type,
  event_outcome: row.event_outcome,
  method: row.method,
  url: redactUrl(row.url),
  response_status: row.response_status,
  response_time: row.response_time,
  ip_address: row.ip_address,
  created_at: row.created_at.toISOString(),
})

const printCursor = ({ created_at, id }: EventRow) =>
  Buffer.from(`${created_at.toISOString()}|${id}`).toString('base64url')

function readCursor(cursor: string) {
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split('|')
  const isOurs = !Number.isNaN(Date.parse(at)) && /^[\da-f-]{36}$/.test(id)
  if (!isOurs) throw refusals.badRequest('cursor: is not valid')
  return { at: new Date(at), id }
}

/** Usage events for programs: sent in batches, and read by the time they happened. */
export const eventSyncRoutes = (ingest: EventIngest): Route[] => [
  serve(sendEvents, ({ body, apiKey, services }) => takeEvents(services, ingest, body.items, apiKey.source), {
    transaction: 'none',
  }),
  serve(walkEvents, async ({ query: { updated_since, cursor, limit }, db }) => {
    const start = cursor ? readCursor(cursor) : { at: new Date(updated_since ?? 0), id: null }
    const rows = await findEventsInOrder(db, start, limit + 1)
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    return { items: page.map(present), next_cursor: rows.length > limit && last ? printCursor(last) : null }
  }),
  serve(readEventRecord, async ({ params, db }) => {
    const found = await findEvent(db, params.id)
    if (found?.source !== 'customer') throw refuse(readEventRecord, 'not_found')
    return present(found)
  }),
  serve(readEventByExternalId, async ({ params, db }) => {
    const found = await findEvent(db, uuidOf(params.source, params.external_id))
    if (found?.source !== 'customer') throw refuse(readEventByExternalId, 'not_found')
    return present(found)
  }),
]
