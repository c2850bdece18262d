import { permissionLabel } from '@limber/contract/access/permission-labels.ts'
import { codeOf } from '@limber/contract/access/permissions.ts'
import { type CallDefinition, Failure, isMachine } from '@limber/contract/kit/call.ts'
import { z } from 'zod'
import { failureBody, type Refusal, refusals, refuseBy } from './refusal.ts'

type Json = Record<string, unknown>

/** Schemas with a name stand once, among the components: OpenAPI resolves references from the top of the document. */
const NAMED = '#/components/schemas/'

const schemaOf = (schema: z.ZodType, io: 'input' | 'output', named: Json): Json => {
  const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' })
  const {
    $schema: _,
    $defs,
    ...json
  } = JSON.parse(JSON.stringify(made).replaceAll('"$ref":"#/$defs/', () => `"$ref":"${NAMED}`)) as Json
  Object.assign(named, $defs)
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
function tagOf({ path }: CallDefinition): { name: string; description: string } {
  const [first = 'other', second] = path.split('/').filter((part) => part && part !== 'api')
  return first === 'v1' && second
    ? { name: `v1: ${second}`, description: `Calls of other programs about ${second}, with an API key.` }
    : { name: first, description: `Calls of the back office under ${path.startsWith('/api/') ? '/api' : ''}/${first}.` }
}

/** The accepted ways to authenticate. */
function securityOf({ permission, method, deprecatedHeader }: CallDefinition): Json[] {
  if (permission === 'public') return []
  if (permission === 'api-key') return [{ bearer: [] }, ...(deprecatedHeader ? [{ [deprecatedHeader]: [] }] : [])]
  const session = { session: [], ...(method !== 'GET' && { csrf: [] }) }
  return permission === 'signed-in-or-key' ? [session, { bearer: [] }] : [session]
}

/** Refusals of the pipeline stand once, among the components; their texts do not depend on the call. */
const example = (refusal: Refusal) => ({ summary: refusal.text, value: failureBody(refusal) })
const general = Object.fromEntries(
  Object.values(refusals).flatMap((make) =>
    make === refusals.badRequest || make === refusals.scope
      ? []
      : [(make as (seconds: number) => Refusal)(30)].map((refusal) => [refusal.code, example(refusal)]),
  ),
)

const exampleOf = (refusal: Refusal) =>
  general[refusal.code]?.summary === refusal.text ? { $ref: `#/components/examples/${refusal.code}` } : example(refusal)

const failureReply = (description: string, examples: Refusal[] = [], headers?: Json) => ({
  description,
  ...(headers && { headers }),
  content: {
    'application/json': {
      schema: { $ref: `${NAMED}Failure` },
      ...(examples.length > 0 && {
        examples: Object.fromEntries(examples.map((each) => [each.code, exampleOf(each)])),
      }),
    },
  },
})

const seconds = (description: string) => ({ description, schema: { type: 'integer' } })

const limitHeaders = {
  'Retry-After': seconds('Seconds to wait.'),
  'RateLimit-Limit': seconds('Requests per minute.'),
  'RateLimit-Remaining': seconds('Requests left in this minute.'),
  'RateLimit-Reset': seconds('Seconds until the next minute begins.'),
}

/** What the pipeline refuses before the handler. */
function pipelineRefusals(call: CallDefinition): Refusal[] {
  const { permission, scope, method, params, query, body, stepUp, limit } = call
  const isOpen = permission === 'public' || permission === 'attempt'
  const takes = params ?? query ?? body
  return [
    ...(takes ? [refusals.badRequest('The request is malformed.', [{ path: 'name', text: 'is required' }])] : []),
    ...(permission === 'api-key' ? [refusals.noApiKey(), refusals.badApiKey(), refusals.keyRevoked()] : []),
    ...(permission === 'api-key' ? [refusals.keyExpired(), refusals.network()] : []),
    ...(scope ? [refusals.scope(scope)] : []),
    ...(permission === 'attempt' ? [refusals.noAttempt()] : []),
    ...(!isOpen && permission !== 'api-key' ? [refusals.noSession(), refusals.forbidden()] : []),
    ...(method !== 'GET' && !isMachine(call) ? [refusals.badOrigin(), refusals.badCsrf()] : []),
    ...(stepUp ? [refusals.stepUp()] : []),
    ...(body ? [refusals.tooLarge(), refusals.mediaType()] : []),
    ...(limit || permission === 'api-key' ? [refusals.tooMany(30)] : []),
    // Even of a call that takes nothing.
    ...(takes ? [] : [refusals.headersTooLong()]),
  ]
}

/** All refusals of a call by status, each with its body as an example. */
function failureReplies(call: CallDefinition): Json {
  const own = Object.keys(call.refusals ?? {}).map((code) => refuseBy(call, code))
  const all = [...pipelineRefusals(call), ...own]
  return Object.fromEntries(
    [...Map.groupBy(all, ({ status }) => status)].map(([status, list]) => {
      const headers = status === 429 && call.permission === 'api-key' ? limitHeaders : undefined
      return [status, failureReply([...new Set(list.map(({ text }) => text))].join(' | '), list, headers)]
    }),
  )
}

function parameters(schema: z.ZodType | undefined, place: 'path' | 'query', named: Json): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = schemaOf(schema, 'input', named) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...json }]) => ({
    name,
    in: place,
    ...(description !== undefined && { description }),
    required: place === 'path' || required.includes(name),
    schema: json,
  }))
}

/** The body of a call; of a batch, with its items as they must be. */
function bodyOf(call: CallDefinition, body: z.ZodType, named: Json): Json {
  const json = schemaOf(body, 'input', named)
  if (!call.item) return json
  const { items } = json.properties as { items: Json }
  return { ...json, properties: { items: { ...items, items: schemaOf(call.item, 'input', named) } } }
}

const bodyTypes: Record<string, string> = { multipart: 'multipart/form-data', mail: 'message/rfc822' }

function operation(call: CallDefinition, named: Json): Json {
  return {
    summary: call.summary,
    description: `${guardDescription(call)}${call.stepUp ? ' Requires a passkey confirmation within the last ten minutes.' : ''}`,
    tags: [tagOf(call).name],
    operationId: `${call.method.toLowerCase()}_${call.path.replace(/[^a-z0-9]+/gi, '_').replace(/^_|_$/g, '')}`,
    parameters: [...parameters(call.params, 'path', named), ...parameters(call.query, 'query', named)],
    ...(call.body && {
      requestBody: {
        required: true,
        content: {
          [bodyTypes[call.bodyType ?? 'json'] ?? 'application/json']: {
            schema: bodyOf(call, call.body, named),
            ...(call.example !== undefined && { example: call.example }),
          },
        },
      },
    }),
    responses: {
      200: {
        description: 'Done.',
        content:
          call.replyType === 'stream'
            ? {}
            : {
                'application/json': {
                  schema: schemaOf(call.reply, 'output', named),
                  ...(call.replyExample !== undefined && { example: call.replyExample }),
                },
              },
      },
      ...failureReplies(call),
      default: failureReply('An error with a readable message.', [refusals.broken(), refusals.unavailable()]),
    },
    security: securityOf(call),
    'x-permission': guardLabel(call),
    ...(call.scope && { 'x-scope': call.scope }),
  }
}

/** Generates OpenAPI 3.1 for all calls from the contract. */
export function makeOpenApi(calls: readonly CallDefinition[], publicUrl: string): Json {
  const paths: Record<string, Json> = {}
  const named: Json = { Failure: schemaOf(Failure, 'output', {}) }
  const tags = new Map(calls.map(tagOf).map((tag) => [tag.name, tag]))
  for (const call of calls) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [call.method.toLowerCase()]: operation(call, named) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Limber',
      version: '1',
      description:
        'Calls of the Limber back office, generated from the contract that the server and the browser share.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: [...tags.values()],
    paths,
    components: {
      schemas: named,
      examples: general,
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
