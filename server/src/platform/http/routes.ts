import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { ApiScope } from '@limber/contract/access/api-keys/scopes.ts'
import type { BodyOf, CallDefinition, ParamsOf, QueryOf, RefusalOf, ReplyInputOf } from '@limber/contract/kit/call.ts'
import type { TransactionOptions } from '../db/db.ts'
import type { Work } from '../db/work.ts'
import type { Services } from '../services.ts'
import type { SerializedReply } from './serialized-reply.ts'

/** The worker behind the session of a request. */
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

/** The API key of a request. */
export interface ApiKeyCaller {
  id: number
  publicId: string
  name: string
  /** The system of the program. External ids belong to it. */
  source: string
  scopes: ReadonlySet<ApiScope>
  networks: readonly string[]
  requestsPerMinute: number
  expiresAt: Date | null
  isRevoked: boolean
  isExpired: boolean
  /** The request comes from one of its allowed networks. */
  isAllowedHere: boolean
  /** Its first use is not recorded yet. */
  isUnused: boolean
  /** How many requests it has made in this minute, including this one. */
  tries: number
}

/** What a handler may know about the request besides its parsed parts. */
export interface RequestFacts {
  id: string
  address: string
  browser: string
  cookie(name: 'sid' | 'csrf' | 'flow' | 'dev'): string | undefined
  /** The raw body, for calls with a signed body. */
  bytes: Buffer
  /** The raw request, for calls that stream the body. */
  raw: IncomingMessage
}

/** What a handler may set on the reply besides its body. */
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

/** Null when the program used a deprecated key from an environment variable. */
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
   * For a handler with its own transaction: runs it under the request's idempotency key. `fingerprint` stands for the
   * body. For a repeated request, nothing runs, and the reply is the stored one.
   */
  once(fingerprint: Buffer, run: (work: Work) => Promise<ReplyInputOf<C>>): Promise<Once<C>>
}

interface Once<C extends CallDefinition> {
  reply: SerializedReply<ReplyInputOf<C>>
  isRepeat: boolean
}

export interface ServeOptions extends Pick<TransactionOptions, 'isolation'> {
  /** `none`: the handler opens its own transactions, and `db` is the pool. */
  transaction?: 'none'
  /** `db` may be a replica, a few seconds behind. Only for reads of what the caller has not just changed. */
  mayLag?: boolean
  /** The reply contains a secret. It is never stored under an idempotency key. */
  isSecret?: boolean
  /** Checks a program's key before the body is read. Throws a refusal when it is wrong. */
  admit?(headers: IncomingHttpHeaders, services: Services): void
}

/** Refusal codes by constraint name. */
export type Expected<Code extends string = string> = Readonly<Partial<Record<string, Code | 'conflict'>>>

type Answer<C extends CallDefinition> = ReplyInputOf<C> | SerializedReply<ReplyInputOf<C>>
export type Handler<C extends CallDefinition> = (context: Context<C>) => Promise<Answer<C>> | Answer<C>

/** A call with the function that answers it. */
export interface Route {
  call: CallDefinition
  handle: Handler<CallDefinition>
  options: ServeOptions
  /** Constraint violations that are not defects. */
  expected: Expected
}

interface Served<C extends CallDefinition> extends Route {
  /**
   * Constraints that concurrent callers may violate although the handler checked before, each with its refusal: one of the
   * call's own, or `conflict`. Any other violation is a defect.
   */
  expecting(expected: Expected<RefusalOf<C>>): Route
}

/** Binds a handler to its call. A mutation runs in one transaction with its audit rows and outbox messages. */
export function serve<C extends CallDefinition>(call: C, handle: Handler<C>, options: ServeOptions = {}): Served<C> {
  // The pipeline passes exactly the parts that this call's schemas parsed.
  const route = { call, handle: handle as unknown as Handler<CallDefinition>, options, expected: {} }
  return { ...route, expecting: (expected) => ({ ...route, expected }) }
}

/** Finds sessions. The access area provides it. */
export interface SessionFinder {
  find(token: string, now: Date): Promise<Caller | undefined>
  /** Records that the session was used. */
  touch(sessionId: number, now: Date): Promise<void>
}

/** Finds API keys. The access area provides it. */
export interface ApiKeyFinder {
  /** The key with this secret, also if it is expired or revoked. Counts the request for the limit if it may be made. */
  find(token: string, address: string | null, now: Date): Promise<ApiKeyCaller | undefined>
  /** Counts a request of the key; written with a delay. */
  noteUse(key: ApiKeyCaller, use: { at: Date; address: string; status: number }): void
  /** Counts a request with a deprecated key. */
  noteDeprecatedUse(variable: string, at: Date): void
  /** Writes the pending counts. */
  close(): Promise<void>
}

export interface CallerFinders {
  sessions: SessionFinder
  apiKeys: ApiKeyFinder
}
