import type { BatchReply } from '@limber/contract/kit/batch.ts'
import type { LiveTopic } from '@limber/contract/kit/live.ts'
import type { attachCall, batchCall, readCalls } from '@limber/contract/kit/resource.ts'
import type { z } from 'zod'
import { brokenConstraint, type Db } from '../db/db.ts'
import { refuse } from '../http/refusal.ts'
import { type Route, serve } from '../http/routes.ts'
import type { Services } from '../services.ts'
import type { BatchWriter } from './batch-writer.ts'
import { attachExternalId, findExternalIds, findReferenced, lockSource, refKey } from './external-refs.queries.ts'
import { type ReadAll, readRecords } from './read-records.ts'
import { findRecords, type Resource } from './resources.ts'
import { runBatch } from './run-batch.ts'
import { findRecord, walkChanges } from './walk-changes.ts'

type ReadCalls = ReturnType<typeof readCalls<string, z.ZodRawShape>>
type BatchCall = ReturnType<typeof batchCall<string, z.ZodType>>
type AttachCall = ReturnType<typeof attachCall<string>>
/** Loads records as the API shows them, without what every record has; in any order, missing ones left out. */
export type Load = (db: Db, ids: readonly number[]) => Promise<readonly { id: number }[]>

interface ListRoute extends Route {
  resource: Resource
  load: Load
}

/** Serves the reading of one kind of record. */
export const readRoutes = (calls: ReadCalls, resource: Resource, load: Load): Route[] => [
  Object.assign(
    serve(calls.list, ({ query, db }) => walkChanges(db, resource, query, load)),
    { resource, load },
  ),
  serve(calls.read, async ({ params, db }) => {
    const found = await findRecord(db, resource, params.id, load)
    if (!found) throw refuse(calls.read, 'not_found')
    return found
  }),
  serve(calls.readByExternalId, async ({ params, db }) => {
    const ref = { source: params.source, resource, externalId: params.external_id }
    const id = (await findReferenced(db, [ref])).get(refKey(ref))
    const found = id === undefined ? undefined : await findRecord(db, resource, id, load)
    if (!found) throw refuse(calls.readByExternalId, 'not_found')
    return found
  }),
]

const summarize = (reply: BatchReply) =>
  (['created', 'updated', 'unchanged', 'stale', 'rejected'] as const)
    .flatMap((status) => (reply[status] > 0 ? [`${reply[status]} ${status}`] : []))
    .join(', ')

// biome-ignore lint/suspicious/noExplicitAny: a writer's items are whatever its own schema makes of them
type AnyWriter = BatchWriter<any>

/** What a writer may need besides its transaction. */
type WriterServices = Pick<Services, 'company' | 'config' | 'keyring'>

/** Makes the writer of one kind of record for a source. Screens that show `topics` must follow what it writes. */
export type MakeBatch = (
  services: WriterServices,
  source: string,
) => { writer: AnyWriter; topics: readonly LiveTopic[] }

interface BatchRoute extends Route {
  resource: string
  makeBatch: MakeBatch
}

/**
 * Serves the batches of one kind of record. Screens that show `topics` follow at once. A writer that sends mail, or keeps
 * the name of the source, is made for each batch.
 */
export const batchRoute = (
  call: BatchCall,
  given: AnyWriter | ((services: WriterServices, source: string) => AnyWriter),
  topics: readonly LiveTopic[],
): BatchRoute => {
  const makeBatch: MakeBatch = (services, source) => ({
    writer: typeof given === 'function' ? given(services, source) : given,
    topics,
  })
  const route = serve(
    call,
    async ({ body, apiKey, services, request, once }) => {
      const { writer } = makeBatch(services, apiKey.source)
      const run = (isCareful: boolean) =>
        once(request.bytes, async (work) => {
          const reply = await runBatch(writer, body.items, apiKey.source, work, { isCareful })
          if (reply.created + reply.updated > 0) {
            for (const topic of topics) work.publish(topic)
            work.audit({ action: 'batch_received', reason: `${writer.resource}: ${summarize(reply)}` })
          }
          return reply
        })
      // Few batches have an item that breaks a constraint: only those pay for finding it.
      const { reply } = await run(false).catch((error: unknown) => {
        if (!writer.expected?.[brokenConstraint(error) ?? '']) throw error
        return run(true)
      })
      return reply
    },
    { transaction: 'none' },
  )
  return { ...route, resource: call.path.slice('/api/v1/'.length, -'/batch'.length), makeBatch }
}

/** How each kind of record is written in batches, by its name in the API. */
export const batchesOf = (routes: readonly Route[]): ReadonlyMap<string, MakeBatch> =>
  new Map(
    routes
      .filter((route): route is BatchRoute => 'makeBatch' in route)
      .map(({ resource, makeBatch }) => [resource, makeBatch]),
  )

/** How all records of each kind are read, by its name in the API. */
export const readersOf = (routes: readonly Route[]): ReadonlyMap<string, ReadAll> =>
  new Map(
    routes
      .filter((route): route is ListRoute => 'load' in route)
      .map(({ resource, load }) => [resource, (db) => readRecords(db, resource, load)]),
  )

/** Serves the attaching of a program's own id to a record. */
export const attachRoute = (call: AttachCall, resource: Resource): Route =>
  serve(call, async ({ params: { id }, body, apiKey, db, now, audit }) => {
    if (!(await findRecords(db, resource, [id])).has(id)) throw refuse(call, 'not_found')
    await lockSource(db, apiKey.source, resource)
    const isAttached = await attachExternalId(db, { ...apiKey, resource, externalId: body.external_id }, id, now)
    if (!isAttached) throw refuse(call, 'already_linked')
    audit({ action: 'external_id_attached', reason: `${resource} ${id}` })
    return { id, external_ids: (await findExternalIds(db, resource, [id])).get(id) ?? {} }
  })
