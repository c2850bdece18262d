import { z } from 'zod'
import type { ApiScope } from '#access/api-keys/scopes.ts'
import type { PermissionName } from '#access/permissions.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * Who may make a call: anyone, the owner of a sign-in attempt, any signed-in worker, or a worker with the permission
 * (any one of them, when a list is given).
 */
export type Guard = 'public' | 'attempt' | 'signed-in' | PermissionName | readonly [PermissionName, ...PermissionName[]]

/** Also allows programs: `api-key` needs a key with the call's scope, `signed-in-or-key` accepts a worker or any key. */
export type CallGuard = Guard | 'api-key' | 'signed-in-or-key'

/** A refusal's status, its user-facing text, and the schema of the record that it returns as `current`, if any. */
export type Refusals = Record<string, readonly [status: number, text: string, current?: z.ZodType]>

/** Refuses a change based on an older version, and returns the current record. */
export const staleRefusal = <S extends z.ZodType>(record: string, current: S) =>
  [409, changedText(record), current] as const

export const changedText = (record: string) => `Someone else changed ${record}. Reload and try again.`

/** At most `times` requests per `seconds`, counted by client address or by worker. */
export interface Limit {
  by: 'address' | 'worker'
  times: number
  seconds: number
}

type Shape = z.ZodType

export interface CallDefinition {
  method: Method
  path: `/${string}`
  /** One line for the API page. */
  summary: string
  permission: CallGuard
  /** The scope that an API key needs. Without one, any key is accepted. Only for the permission `api-key`. */
  scope?: ApiScope
  /** A deprecated header with a key from an environment variable. It still works instead of an API key. */
  deprecatedHeader?: `x-${string}`
  params?: Shape
  query?: Shape
  body?: Shape
  /** One item of a batch, for the API page: items are checked one by one, so the body says only that they are a list. */
  item?: Shape
  /** A body as a program would send it, and a reply as it would get it. The check of the OpenAPI document reads both. */
  example?: unknown
  replyExample?: unknown
  reply: Shape
  refusals?: Refusals
  /** Requires a passkey confirmation within the last ten minutes. */
  stepUp?: boolean
  /** A POST that only reads: no transaction, no idempotency key, no audit row. */
  reads?: boolean
  /** Maximum size of a JSON body in bytes. Default: 256 KB. */
  bodyLimit?: number
  limit?: Limit
  /** Pages make this call without the user. It does not count as activity that keeps the session alive. */
  isUnattended?: boolean
  /** For other programs, not for our pages: no Origin, no CSRF token. The handler checks the caller's key. */
  machine?: boolean
  /**
   * Default: `json`. The handler reads `multipart` bodies itself; `form` is for machines.
   * `bytes`: JSON that is not parsed, because its signature covers the raw bytes; the handler reads `request.bytes`.
   * `reports`: reports that browsers send on their own, read by the handler in the same way.
   * `mail`: an email, alone or in a form of any kind; the handler reads it from the request.
   */
  bodyType?: 'json' | 'multipart' | 'form' | 'bytes' | 'reports' | 'mail'
  replyType?: 'json' | 'stream'
  /** The list that this call exports, and the name of the file without its date. */
  exports?: { list: CallDefinition; file: string }
}

type Inferred<S, Mode extends 'input' | 'output'> = S extends z.ZodType
  ? Mode extends 'input'
    ? z.input<S>
    : z.output<S>
  : undefined

export type Call<D extends CallDefinition = CallDefinition> = Readonly<D>

type Part<C extends CallDefinition, K extends 'params' | 'query' | 'body'> =
  C extends Record<K, infer S> ? S : undefined

/** What the handler receives, after parsing. */
export type ParamsOf<C extends CallDefinition> = Inferred<Part<C, 'params'>, 'output'>
export type QueryOf<C extends CallDefinition> = Inferred<Part<C, 'query'>, 'output'>
export type BodyOf<C extends CallDefinition> = Inferred<Part<C, 'body'>, 'output'>
/** What the caller receives. */
export type ReplyOf<C extends CallDefinition> = z.output<C['reply']>
/** What the handler returns: the reply before the schema's transforms. */
export type ReplyInputOf<C extends CallDefinition> = z.input<C['reply']>
export type RefusalOf<C extends CallDefinition> = C extends { refusals: infer R } ? keyof R & string : never

/** The record in a refusal's `current`: as the handler returns it, and as the caller receives it. */
export type CurrentInputOf<C extends CallDefinition, Code extends string> = Inferred<CurrentShape<C, Code>, 'input'>
export type CurrentOf<C extends CallDefinition, Code extends string> = Inferred<CurrentShape<C, Code>, 'output'>

type CurrentShape<C extends CallDefinition, Code extends string> = C extends {
  refusals: Record<Code, readonly [number, string, infer S]>
}
  ? S
  : undefined

type Given<C extends CallDefinition, K extends 'params' | 'query' | 'body'> =
  Part<C, K> extends z.ZodType
    ? undefined extends z.input<Part<C, K>>
      ? { [P in K]?: z.input<Part<C, K>> }
      : { [P in K]: z.input<Part<C, K>> }
    : unknown

/** What the browser passes to `send`: exactly the parts that the call has. */
export type InputOf<C extends CallDefinition> = Given<C, 'params'> & Given<C, 'query'> & Given<C, 'body'>

/** Defines one call: the single source of its path, permission, schemas and refusal texts. */
/* @__NO_SIDE_EFFECTS__ */
export function defineCall<const D extends CallDefinition>(definition: D): Call<D> {
  const named = definition.path.match(/:(\w+)/g)?.length ?? 0
  if (named > 0 && !definition.params)
    throw new Error(`${definition.method} ${definition.path} names parameters but has no params`)
  if ((definition.scope || definition.deprecatedHeader) && definition.permission !== 'api-key')
    throw new Error(`${definition.method} ${definition.path} has a scope but no API key`)
  if (definition.method === 'GET' && definition.body) throw new Error(`GET ${definition.path} cannot have a body`)
  return Object.freeze(definition)
}

/** The body of every failure: the same text in `error` and `message`, and a code for programs. */
export const Failure = z.object({
  success: z.literal(false).default(false),
  error: z.string(),
  message: z.string(),
  code: z.string(),
  /** Invalid fields, for forms. */
  fields: z.array(z.object({ path: z.string(), text: z.string() })).optional(),
  /** The current record, when the request had a stale version. */
  current: z.unknown().optional(),
})
export type Failure = z.infer<typeof Failure>

/** Reads never open a transaction and never need a CSRF token. */
export const isMutation = (call: CallDefinition) => call.method !== 'GET' && !call.reads

/** True for calls of programs. They have no Origin or CSRF token, but a key or a signature. */
export const isMachine = ({ machine, permission }: CallDefinition) => machine === true || permission === 'api-key'
