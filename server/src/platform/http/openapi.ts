import { wordsOf } from '@limber/contract/access/permission-words.ts'
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

/** The guard of a call as one word for a table: names with their codes. */
export function guardLabel({ permission }: CallDefinition): string {
  if (permission === 'public' || permission === 'signed-in' || permission === 'attempt') return permission
  const names = typeof permission === 'string' ? [permission] : permission
  return names.map((name) => `${name}(${codeOf(name)})`).join('|')
}

function guardDescription({ permission }: CallDefinition): string {
  if (permission === 'public') return 'Open to everybody.'
  if (permission === 'attempt') return 'Belongs to a sign-in attempt.'
  if (permission === 'signed-in') return 'Any signed-in worker.'
  const names = typeof permission === 'string' ? [permission] : permission
  return names.map((name) => `Permission ${codeOf(name)}: ${wordsOf(name)}.`).join(' Or: ')
}

const areaOf = (path: string) => path.split('/').filter((part) => part && part !== 'api')[0] ?? 'other'

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

function operation(call: CallDefinition): Json {
  const failures = new Map<string, string[]>()
  for (const [status, text] of Object.values(call.refusals ?? {}))
    failures.set(String(status), [...(failures.get(String(status)) ?? []), text])
  const isMultipart = call.bodyType === 'multipart'
  return {
    summary: call.summary,
    description: `${guardDescription(call)}${call.stepUp ? ' Asks for a passkey proven within ten minutes.' : ''}`,
    tags: [areaOf(call.path)],
    operationId: `${call.method.toLowerCase()}_${call.path.replace(/[^a-z0-9]+/gi, '_').replace(/^_|_$/g, '')}`,
    parameters: [...parameters(call.params, 'path'), ...parameters(call.query, 'query')],
    ...(call.body && {
      requestBody: {
        required: true,
        content: {
          [isMultipart ? 'multipart/form-data' : 'application/json']: { schema: schemaOf(call.body, 'input') },
        },
      },
    }),
    responses: {
      200: {
        description: 'Done.',
        content: call.replyType === 'stream' ? {} : { 'application/json': { schema: schemaOf(call.reply, 'output') } },
      },
      ...Object.fromEntries(
        [...failures].map(([status, texts]) => [
          status,
          {
            description: texts.join(' | '),
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
          },
        ]),
      ),
      default: {
        description: 'A failure, in words.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    },
    security: call.permission === 'public' ? [] : [{ session: [], ...(call.method !== 'GET' && { csrf: [] }) }],
    'x-permission': guardLabel(call),
  }
}

/** OpenAPI 3.1 of every call, made from the contract alone. */
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
      description: "The back office's calls. Made from the contract that server and browser share.",
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: { Failure: schemaOf(Failure, 'output') },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'sid' },
        csrf: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' },
      },
    },
  }
}
