import { z } from 'zod'
import type { ApiResource } from '#access/api-keys/scopes.ts'
import {
  BatchBody,
  BatchReply,
  ExternalId,
  listQuery,
  listReply,
  MAX_BATCH_BYTES,
  recordHead,
  Source,
} from './batch.ts'
import { defineCall } from './call.ts'
import { Id, IdText } from './values.ts'

interface Reading<Name extends string, Shape extends z.ZodRawShape> {
  /** As in the path: `customers`, `payroll/history`. */
  name: Name
  scope: ApiResource
  /** The fields of a record beside `recordHead`. */
  record: Shape
  /** A record with these fields, and the id that another system gave it, for the API page. */
  shown: z.input<z.ZodObject<Shape>>
  shownAs?: string
}

const notFound = [404, 'This record does not exist.'] as const

export const batchReplyExample: z.input<typeof BatchReply> = {
  results: [
    { external_id: 'x-1', status: 'created', id: 3001 },
    { external_id: 'x-2', status: 'rejected', errors: [{ path: 'created_at', code: 'required', text: 'is required' }] },
  ],
  created: 1,
  updated: 0,
  unchanged: 0,
  stale: 0,
  rejected: 1,
}

/** The calls by which a program reads one kind of record. */
export function readCalls<const Name extends string, Shape extends z.ZodRawShape>(of: Reading<Name, Shape>) {
  const { name, scope, record, shown, shownAs } = of
  const external_ids: Record<string, string> = shownAs ? { app: shownAs } : {}
  const replyExample = { id: 3001, external_ids, updated_at: '2026-11-17T17:20:00.000Z', ...shown }
  const gone = { id: 2988, external_ids: {}, deleted_at: '2026-11-17T17:21:00.000Z', reason: 'deleted' }
  const reply = z.object({ ...recordHead, ...record })
  const permission = 'api-key'
  return {
    list: defineCall({
      method: 'GET',
      path: `/api/v1/${name}`,
      summary: `List ${name}, the latest change last, with tombstones`,
      permission,
      scope: `${scope}:read`,
      query: z.strictObject(listQuery),
      reply: listReply(reply),
      replyExample: { items: [replyExample, gone], next_cursor: null },
    }),
    read: defineCall({
      method: 'GET',
      path: `/api/v1/${name}/:id`,
      summary: `Read one of the ${name}`,
      permission,
      scope: `${scope}:read`,
      params: z.strictObject({ id: IdText }),
      reply,
      replyExample,
      refusals: { not_found: notFound },
    }),
    readByExternalId: defineCall({
      method: 'GET',
      path: `/api/v1/${name}/by-external-id/:source/:external_id`,
      summary: `Read one of the ${name} by the ID of another system`,
      permission,
      scope: `${scope}:read`,
      params: z.strictObject({ source: Source, external_id: ExternalId }),
      reply,
      replyExample,
      refusals: { not_found: notFound },
    }),
  }
}

interface Writing<Name extends string, Item extends z.ZodType> {
  name: Name
  scope: ApiResource
  item: Item
  /** One item, for the API page. */
  example: z.input<Item>
}

/** The call by which a program sends records, up to 1,000 at a time. */
export const batchCall = <const Name extends string, Item extends z.ZodType>(of: Writing<Name, Item>) =>
  defineCall({
    method: 'POST',
    path: `/api/v1/${of.name}/batch`,
    summary: `Create or update ${of.name}, up to 1,000 at a time`,
    permission: 'api-key',
    scope: `${of.scope}:write`,
    bodyLimit: MAX_BATCH_BYTES,
    body: BatchBody,
    item: of.item,
    example: { items: [of.example] },
    reply: BatchReply,
    replyExample: batchReplyExample,
  })

/** The call by which a program gives an existing record its own id. */
export const attachCall = <const Name extends string>(of: { name: Name; scope: ApiResource }) =>
  defineCall({
    method: 'PUT',
    path: `/api/v1/${of.name}/:id/external-id`,
    summary: `Attach your own ID to one of the ${of.name}`,
    permission: 'api-key',
    scope: `${of.scope}:write`,
    params: z.strictObject({ id: IdText }),
    body: z.strictObject({ external_id: ExternalId }),
    example: { external_id: 'x-1' },
    reply: z.object({ id: Id, external_ids: z.record(z.string(), z.string()) }),
    replyExample: { id: 3001, external_ids: { app: 'x-1' } },
    refusals: {
      not_found: notFound,
      already_linked: [409, 'This record already has another external ID, or the ID belongs to another record.'],
    },
  })

/** All calls of records that programs read and write. */
export const resourceCalls = <const Name extends string, Item extends z.ZodType, Shape extends z.ZodRawShape>(
  of: Writing<Name, Item> & Reading<Name, Shape>,
) => ({ batch: batchCall(of), attach: attachCall(of), ...readCalls(of) })
