import { readFile } from 'node:fs/promises'
import { calls } from '@limber/contract/calls.ts'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openDb } from '#platform/db/db.ts'
import { openPool } from '#platform/db/pool.ts'
import { guardLabel, makeOpenApi } from '#platform/http/openapi.ts'
import { serve } from '#platform/http/routes.ts'
import { liveText } from '#platform/live/notify.ts'
import { allRoutes, checkRoutes, topics } from './app.ts'

// Building the routes opens no connection.
const routes = allRoutes(openDb(openPool('postgres://localhost/none'))).routes

/** The table of calls and permissions; `npm run routes` prints the same. */
const table = calls
  .map((call) => `${call.method} ${call.path} ${guardLabel(call)}${call.stepUp ? ' step-up' : ''}`)
  .toSorted()

type Schema = {
  type?: unknown
  properties?: Record<string, Schema>
  additionalProperties?: unknown
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  oneOf?: Schema[]
}

function findLooseObjects(schema: Schema, path: string): string[] {
  const own = schema.type === 'object' && schema.properties && schema.additionalProperties !== false ? [path] : []
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    findLooseObjects(part, `${path}.${name}`),
  )
  const parts = [
    ...(schema.anyOf ?? []),
    ...(schema.allOf ?? []),
    ...(schema.oneOf ?? []),
    ...(schema.items ? [schema.items] : []),
  ]
  return [...own, ...inner, ...parts.flatMap((part) => findLooseObjects(part, path))]
}

describe('the calls', () => {
  it('are each served exactly once', () => {
    expect(() => checkRoutes(routes)).not.toThrow()
    const first = routes[0]
    if (!first) throw new Error('no routes')
    expect(() => checkRoutes([...routes, first])).toThrow('is served 2 times')
    expect(() => checkRoutes(routes.slice(1))).toThrow('is served 0 times')
  })
  it('stop the start when one has no permission or is not in the contract', () => {
    const [call] = calls
    if (!call) throw new Error('no calls')
    expect(() => checkRoutes([serve({ ...call, permission: undefined as never }, () => null)])).toThrow(
      'has no permission',
    )
    expect(() => checkRoutes([serve({ ...call }, () => null)])).toThrow("is not in the contract's list")
  })
  it('have the permissions in calls.txt', async () => {
    const agreed = await readFile(new URL('../calls.txt', import.meta.url), 'utf8')
    expect(`${table.join('\n')}\n`, 'if this change is intended, run: npm run routes -- --write').toBe(agreed)
  })
  it('reject unknown keys in bodies, paths and queries at any depth', () => {
    const loose = calls.flatMap((call) =>
      (['params', 'query', 'body'] as const).flatMap((part) => {
        const schema = call[part]
        return schema && !call.machine
          ? findLooseObjects(
              z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema,
              `${call.method} ${call.path} ${part}`,
            )
          : []
      }),
    )
    expect(loose).toEqual([])
  })
  it('have a text for each refusal', () => {
    for (const call of calls)
      for (const [code, [status, text]] of Object.entries(call.refusals ?? {})) {
        expect([400, 401, 403, 404, 409, 413, 415, 416, 422, 429, 503], `${call.path} ${code}`).toContain(status)
        expect(text.length, `${call.path} ${code}`).toBeGreaterThan(3)
      }
  })
  it('are described as OpenAPI 3.1', () => {
    const api = makeOpenApi(calls, 'https://limber.example.com') as {
      openapi: string
      paths: Record<string, Record<string, { operationId: string }>>
    }
    expect(api.openapi).toBe('3.1.0')
    const operations = Object.values(api.paths).flatMap((path) => Object.values(path))
    expect(operations).toHaveLength(calls.length)
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(calls.length)
  })
  it('of programs show a body and a reply as an example', () => {
    const ofPrograms = calls.filter(({ path }) => path.startsWith('/api/v1/'))
    const bare = ofPrograms.filter((call: CallDefinition) => (call.body && !call.example) || !call.replyExample)
    expect(ofPrograms.length).toBeGreaterThan(80)
    expect(bare.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })
})

describe('live topics', () => {
  it('are checked by the compiler where they are published', () => {
    // @ts-expect-error No such topic.
    expect(JSON.parse(liveText('ticket', { ticket: 4 }))).toEqual({ topic: 'ticket', ticket: 4 })
  })
  it('are never open to the public', () => {
    for (const guard of Object.values(topics)) expect(['public', 'attempt']).not.toContain(guard)
  })
  it('send business changes also to the growth team, which lists their sessions', () => {
    expect(topics.businesses).toEqual(['businesses.manage', 'growth.tab'])
  })
})
