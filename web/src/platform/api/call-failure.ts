import { type CallDefinition, type CurrentOf, Failure, type RefusalOf } from '@limber/contract/kit/call.ts'

/** Why a call failed, with the server's message. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  /** The HTTP status; 0 when the server was not reached. */
  readonly status: number
  readonly code: string
  /** The invalid fields. */
  readonly fields: readonly { path: string; text: string }[]
  /** The current record, when a stale version was sent. */
  readonly current: unknown
  /** The request that failed: method and URL. */
  request?: string
  /** Seconds to wait before a retry, if the server sent them. */
  readonly retryAfter: number | undefined

  constructor(status: number, failure: Partial<Failure> & { error: string; code: string }, retryAfter?: number) {
    super(failure.error)
    this.status = status
    this.code = failure.code
    this.fields = failure.fields ?? []
    this.current = failure.current
    this.retryAfter = retryAfter
  }

  /** The server was not reached or could not reply, so the same call can be retried. */
  get isTransient(): boolean {
    return this.status === 0 || this.status >= 502
  }

  /** The change may have been made: no reply came, it was unreadable, or the server failed. */
  get isOutcomeUnknown(): boolean {
    return this.status === 0 || this.status >= 500 || this.code === 'not_json'
  }

  /** The record does not exist, so a retry is pointless. */
  get isUnknownRecord(): boolean {
    return this.status === 404 && !this.code.startsWith('status_')
  }
}

/** True when someone else saved a newer version. */
export const isStale = (error: unknown): error is CallFailure => error instanceof CallFailure && error.code === 'stale'

/** The record that a refusal carries, such as the current one for `stale`. */
export const currentOf = <C extends CallDefinition, Code extends RefusalOf<C> | 'stale' = 'stale'>(
  error: unknown,
  code: Code | 'stale' = 'stale',
): CurrentOf<C, Code> | undefined =>
  error instanceof CallFailure && error.code === code ? (error.current as CurrentOf<C, Code>) : undefined

export const networkDown = () =>
  new CallFailure(0, { error: "Couldn't reach the server. Check your connection and try again.", code: 'network_down' })

export const timedOut = (seconds: number) =>
  new CallFailure(0, { error: `The server did not respond within ${seconds} seconds. Try again.`, code: 'timed_out' })

/** A successful status without valid JSON: a proxy's page, or a truncated reply. */
export function notJson(status: number, text: string): CallFailure {
  const isPage = /^\s*</.test(text)
  const error = isPage ? 'Invalid response format - received HTML instead of JSON' : 'Invalid JSON response'
  return new CallFailure(status, { error, code: 'not_json' })
}

const defaultMessages: Record<number, string> = {
  401: 'Your session has ended. Sign in again.',
  403: 'You do not have permission to do this.',
  404: 'This was not found. It may have been deleted.',
  413: 'This is too large to upload.',
  429: 'Too many attempts. Wait a moment and try again.',
  503: 'The server is busy. Try again in a moment.',
}

/** The server's reply before it is parsed. */
export interface RawReply {
  status: number
  text: string
  header: (name: string) => string | null
}

/** The request id to quote to whoever reads the server log. Only defects are logged under it. */
function referenceOf(status: number, header: RawReply['header']): string {
  const id = status === 500 && header('X-Request-Id')
  return id ? ` Reference: ${id}` : ''
}

/** A proxy between the browser and the server can refuse too. Only its message is read. */
const ProxyFailure = Failure.pick({ message: true })

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Turns a failed reply into a failure. A reply that is not ours, such as a proxy's page, gets a default message. */
export function failureOf({ status, text, header }: RawReply): CallFailure {
  const retryAfter = header('Retry-After')
  const seconds = retryAfter && /^\d+$/.test(retryAfter) ? Number(retryAfter) : undefined
  const reply = jsonOf(text)
  const read = Failure.safeParse(reply)
  if (read.success) {
    const { error, ...rest } = read.data
    return new CallFailure(status, { ...rest, error: error + referenceOf(status, header) }, seconds)
  }
  const foreign = ProxyFailure.safeParse(reply).data?.message
  if (foreign) return new CallFailure(status, { error: foreign, code: 'foreign' }, seconds)
  const error = defaultMessages[status] ?? 'API request failed'
  return new CallFailure(status, { error, code: `status_${status}` }, seconds)
}
