import { permissionLabel } from '@limber/contract/access/permission-labels.ts'
import { codeOf } from '@limber/contract/access/permissions.ts'
import { type CallDefinition, Failure } from '@limber/contract/kit/call.ts'
import { z } from 'zod'

type Json = Record<string, unknown>

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
  }) as Json
  return json
}

/** The permission of a call in short form: names with their codes. */
export function guardLabel({ permission, scope, deprecatedHeader }: CallDefinition): string {
  if (permission === 'api-key') return [permission, scope, deprecatedHeader].filter(Boolean).join(' ')
  if (permission === 'public' || permission === 'attempt') return permission
  if (permission === 'signed-in' || permission === 'signed-in-or-key') return permission
  const names = typeof permission === 'string' ? [permission] : permission
  return names.map((name) => `${name}(${codeOf(name)})`).join('|')
}

function guardDescription({ permission, scope }: CallDefinition): string {
  if (permission === 'api-key') return scope ? `An API key with the scope ${scope}.` : 'Any API key.'
  if (permission === 'signed-in-or-key') return 'Any signed-in worker, or any API key.'
  if (permission === 'public') return 'Public.'
  if (permission === 'attempt') return 'Requires a sign-in attempt.'
  if (permission === 'signed-in') return 'Any signed-in worker.'
  const names = typeof permission === 'string' ? [permission] : permission
  return names.map((name) => `Permission ${codeOf(name)}: ${permissionLabel(name)}.`).join(' Or: ')
}

/** Calls of programs are grouped by what they exchange, others by area. */
function areaOf(path: string): string {
  const [first = 'other', second] = path.split('/').filter((part) => part && part !== 'api')
  return first === 'v1' && second ? `v1: ${second}` : first
}

/** The accepted ways to authenticate. */
function securityOf({ permission, method, deprecatedHeader }: CallDefinition): Json[] {
  if (permission === 'public') return []
  if (permission === 'api-key') return [{ bearer: [] }, ...(deprecatedHeader ? [{ [deprecatedHeader]: [] }] : [])]
  const session = { session: [], ...(method !== 'GET' && { csrf: [] }) }
  return permission === 'signed-in-or-key' ? [session, { bearer: [] }] : [session]
}

const failureReply = (description: string, headers?: Json) => ({
  description,
  ...(headers && { headers }),
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
})

const seconds = (description: string) => ({ description, schema: { type: 'integer' } })

/** Failures of every call with an API key. */
const keyFailures: readonly [status: string, text: string][] = [
  ['401', 'The API key is missing, wrong, revoked or expired.'],
  ['403', 'The API key does not have the scope (`scope`), or is not allowed from this address (`network`).'],
]
const overLimit = failureReply('Too many requests in this minute.', {
  'Retry-After': seconds('Seconds to wait.'),
  'RateLimit-Limit': seconds('Requests per minute.'),
  'RateLimit-Remaining': seconds('Requests left in this minute.'),
  'RateLimit-Reset': seconds('Seconds until the next minute begins.'),
})

function parameters(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, json]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: json,
  }))
}

/** The body of a call; of a batch, with its items as they must be. */
function bodyOf(call: CallDefinition, body: z.ZodType): Json {
  const json = schemaOf(body, 'input')
  if (!call.item) return json
  const { items } = json.properties as { items: Json }
  return { ...json, properties: { items: { ...items, items: schemaOf(call.item, 'input') } } }
}

function operation(call: CallDefinition): Json {
  const isForKeys = call.permission === 'api-key'
  const failures = new Map<string, string[]>(isForKeys ? keyFailures.map(([status, text]) => [status, [text]]) : [])
  for (const [status, text] of Object.values(call.refusals ?? {}))
    failures.set(String(status), [...(failures.get(String(status)) ?? []), text])
  const isMultipart = call.bodyType === 'multipart'
  return {
    summary: call.summary,
    description: `${guardDescription(call)}${call.stepUp ? ' Requires a passkey confirmation within the last ten minutes.' : ''}`,
    tags: [areaOf(call.path)],
    operationId: `${call.method.toLowerCase()}_${call.path.replace(/[^a-z0-9]+/gi, '_').replace(/^_|_$/g, '')}`,
    parameters: [...parameters(call.params, 'path'), ...parameters(call.query, 'query')],
    ...(call.body && {
      requestBody: {
        required: true,
        content: {
          [isMultipart ? 'multipart/form-data' : 'application/json']: {
            schema: bodyOf(call, call.body),
            ...(call.example !== undefined && { example: call.example }),
          },
        },
      },
    }),
    responses: {
      200: {
        description: 'Done.',
        content: call.replyType === 'stream' ? {} : { 'application/json': { schema: schemaOf(call.reply, 'output') } },
      },
      ...(isForKeys && { 429: overLimit }),
      ...Object.fromEntries([...failures].map(([status, texts]) => [status, failureReply(texts.join(' | '))])),
      default: failureReply('An error with a readable message.'),
    },
    security: securityOf(call),
    'x-permission': guardLabel(call),
    ...(call.scope && { 'x-scope': call.scope }),
  }
}

/** Generates OpenAPI 3.1 for all calls from the contract. */
export function makeOpenApi(calls: readonly CallDefinition[], publicUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const call of calls) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(call) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Limber',
      version: '1',
      description:
        'Calls of the Limber back office, generated from the contract that the server and the browser share.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: { Failure: schemaOf(Failure, 'output') },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'sid' },
        csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'lmb_<public id>_<secret>',
          description: 'An API key, created under Access & audit. It needs the scope that the call names.',
        },
        ...Object.fromEntries(
          calls.flatMap(({ deprecatedHeader: name }) =>
            name ? [[name, { type: 'apiKey', in: 'header', name, description: 'Deprecated: use an API key.' }]] : [],
          ),
        ),
      },
    },
  }
}
