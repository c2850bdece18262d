import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { ApiScope } from '@limber/contract/access/api-keys/scopes.ts'
import type { BodyOf, CallDefinition, ParamsOf, QueryOf, RefusalOf, ReplyInputOf } from '@limber/contract/kit/call.ts'
import type { TransactionOptions } from '../db/db.ts'
import type { Work } from '../db/work.ts'
import type { Services } from '../services.ts'
import type { SerializedReply } from './serialized-reply.ts'

/** The worker behind a session, as the look-up of the request found them. */
export interface Caller {
  workerId: number
  name: string
  email: string
  role: string | null
  permissions: ReadonlySet<string>
  sessionId: number
  steppedUpAt: Date | null
  lastSeenAt: Date
}

/** The API key behind the request of a program. */
export interface ApiKeyCaller {
  id: number
  publicId: string
  name: string
  /** The system that the program belongs to; external ids are its own. */
  source: string
  scopes: ReadonlySet<ApiScope>
  networks: readonly string[]
  requestsPerMinute: number
  expiresAt: Date | null
  isRevoked: boolean
  isExpired: boolean
  /** Does one of its networks have the address of the request? */
  isAllowedHere: boolean
  /** No use of it is written down yet. */
  isUnused: boolean
}

/** What a handler may know of the request beside its parsed parts. */
export interface RequestFacts {
  id: string
  address: string
  browser: string
  cookie(name: 'sid' | 'csrf' | 'flow' | 'dev'): string | undefined
  /** The body as it came, for calls whose sender signed it. */
  bytes: Buffer
  /** The raw request, for calls whose body is a stream. */
  raw: IncomingMessage
}

/** What a handler may put on the reply beside its body. */
export interface ReplyFacts {
  setCookie(name: 'sid' | 'csrf' | 'flow' | 'dev', value: string, options: { httpOnly: boolean; maxAge?: number }): void
  clearCookie(name: 'sid' | 'csrf' | 'flow' | 'dev'): void
  header(name: string, value: string): void
  status(code: number): void
}

type WorkerOf<C extends CallDefinition> = C['permission'] extends 'api-key'
  ? null
  : C['permission'] extends 'public' | 'attempt' | 'signed-in-or-key'
    ? Caller | null
    : Caller

/** None where the key of an environment variable was brought instead. */
type ApiKeyOf<C extends CallDefinition> = C['permission'] extends 'api-key'
  ? C extends { deprecatedHeader: string }
    ? ApiKeyCaller | null
    : ApiKeyCaller
  : ApiKeyCaller | null

export interface Context<C extends CallDefinition = CallDefinition> extends Work {
  params: ParamsOf<C>
  query: QueryOf<C>
  body: BodyOf<C>
  worker: WorkerOf<C>
  apiKey: ApiKeyOf<C>
  request: RequestFacts
  reply: ReplyFacts
  services: Services
  /**
   * For a handler with a transaction of its own: runs it under the idempotency key of the request, whose body has this
   * fingerprint. When the request is a repeated one, nothing is run, and the reply is the first one's.
   */
  once(fingerprint: Buffer, run: (work: Work) => Promise<ReplyInputOf<C>>): Promise<Once<C>>
}

interface Once<C extends CallDefinition> {
  reply: SerializedReply<ReplyInputOf<C>>
  isRepeat: boolean
}

export interface ServeOptions extends Pick<TransactionOptions, 'isolation'> {
  /** `none`: the handler opens its own transactions; `db` is then the pool. */
  transaction?: 'none'
  /** The reply is shown once: it is never kept under an idempotency key. */
  isSecret?: boolean
  /** Turns away a program that does not bring its key, by throwing a refusal, before the body is read. */
  admit?(headers: IncomingHttpHeaders, services: Services): void
}

/** Refusals by the name of the constraint. */
export type Expected<Code extends string = string> = Readonly<Partial<Record<string, Code | 'conflict'>>>

type Answer<C extends CallDefinition> = ReplyInputOf<C> | SerializedReply<ReplyInputOf<C>>
export type Handler<C extends CallDefinition> = (context: Context<C>) => Promise<Answer<C>> | Answer<C>

/** A call with the function that answers it. */
export interface Route {
  call: CallDefinition
  handle: Handler<CallDefinition>
  options: ServeOptions
  /** Broken constraints that are no defect. */
  expected: Expected
}

interface Served<C extends CallDefinition> extends Route {
  /**
   * Constraints that two callers at once may break although the handler looked before, each with the refusal it becomes:
   * one of the call's own, or `conflict`, which any call may answer. Any other broken constraint is a defect.
   */
  expecting(expected: Expected<RefusalOf<C>>): Route
}

/** Binds a handler to its call. A mutation runs inside one transaction with its audit rows and outbox messages. */
export function serve<C extends CallDefinition>(call: C, handle: Handler<C>, options: ServeOptions = {}): Served<C> {
  // The pipeline hands over exactly the parts that this call's schemas parsed.
  const route = { call, handle: handle as unknown as Handler<CallDefinition>, options, expected: {} }
  return { ...route, expecting: (expected) => ({ ...route, expected }) }
}

/** How a worker's session is found; the access area provides it. */
export interface SessionFinder {
  find(token: string, now: Date): Promise<Caller | undefined>
  /** Notes that the session was used. */
  touch(sessionId: number, now: Date): Promise<void>
}

/** How the API key of a program is found; the access area provides it. */
export interface ApiKeyFinder {
  /** The key with this secret, also one that is expired or revoked. */
  find(token: string, address: string | null, now: Date): Promise<ApiKeyCaller | undefined>
  /** Notes a request of the key; written soon. */
  noteUse(key: ApiKeyCaller, use: { at: Date; address: string; status: number }): void
  /** Notes a request with the key of an environment variable. */
  noteDeprecatedUse(variable: string, at: Date): void
  /** Writes what is not written yet. */
  close(): Promise<void>
}

/** How the callers of requests are found. */
export interface CallerFinders {
  sessions: SessionFinder
  apiKeys: ApiKeyFinder
}
