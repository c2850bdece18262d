import { type CallDefinition, type CurrentOf, Failure, type RefusalOf } from '@limber/contract/kit/call.ts'

/** Why a call did not succeed, in the server's words. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  /** The HTTP status; 0 when the server was not reached. */
  readonly status: number
  readonly code: string
  /** Which fields were wrong. */
  readonly fields: readonly { path: string; text: string }[]
  /** The record as it is now, when a stale version was sent. */
  readonly current: unknown
  /** Which change failed: its method and address. */
  request?: string
  /** Seconds to wait before trying again, when the server names them. */
  readonly retryAfter: number | undefined

  constructor(status: number, failure: Partial<Failure> & { error: string; code: string }, retryAfter?: number) {
    super(failure.error)
    this.status = status
    this.code = failure.code
    this.fields = failure.fields ?? []
    this.current = failure.current
    this.retryAfter = retryAfter
  }

  /** The server was not reached, or could not answer: the same call may be tried again. */
  get isTransient(): boolean {
    return this.status === 0 || this.status >= 502
  }

  /** It may have been done all the same: no answer came, none that can be read, or the server broke down over it. */
  get isOutcomeUnknown(): boolean {
    return this.status === 0 || this.status >= 500 || this.code === 'not_json'
  }

  /** The server knows that it is not there: asking again gives the same answer. */
  get isUnknownRecord(): boolean {
    return this.status === 404 && !this.code.startsWith('status_')
  }
}

/** Was it refused because somebody else saved another version? */
export const isStale = (error: unknown): error is CallFailure => error instanceof CallFailure && error.code === 'stale'

/** The record that a refusal of the call carries: as it is now, when it is stale. */
export const currentOf = <C extends CallDefinition, Code extends RefusalOf<C> | 'stale' = 'stale'>(
  error: unknown,
  code: Code | 'stale' = 'stale',
): CurrentOf<C, Code> | undefined =>
  error instanceof CallFailure && error.code === code ? (error.current as CurrentOf<C, Code>) : undefined

export const networkDown = () =>
  new CallFailure(0, { error: "Couldn't reach the server. Check your connection and try again.", code: 'network_down' })

export const timedOut = (seconds: number) =>
  new CallFailure(0, { error: `The server did not respond within ${seconds} seconds. Try again.`, code: 'timed_out' })

/** A good answer that is not ours: the page of a proxy, or a reply that was cut off. */
export function notJson(status: number, text: string): CallFailure {
  const isPage = /^\s*</.test(text)
  const error = isPage ? 'Invalid response format - received HTML instead of JSON' : 'Invalid JSON response'
  return new CallFailure(status, { error, code: 'not_json' })
}

const defaultMessages: Record<number, string> = {
  401: 'Your session has ended. Sign in again.',
  403: "You don't have permission to do this.",
  404: 'This was not found. It may have been deleted.',
  413: 'This is too large to upload.',
  429: 'Too many attempts. Wait a moment and try again.',
  503: 'The server is busy. Try again in a moment.',
}

/** What the server answered, as either way of asking tells it. */
export interface RawReply {
  status: number
  text: string
  header: (name: string) => string | null
}

/** What to quote to whoever reads the server's log; only a defect has a line there that needs to be found. */
function referenceOf(status: number, header: RawReply['header']): string {
  const id = status === 500 && header('X-Request-Id')
  return id ? ` Reference: ${id}` : ''
}

/** What stands between us and the server may refuse too; all it is asked for is a message. */
const ProxyFailure = Failure.pick({ message: true })

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads a failed reply; one that is not ours (a proxy's page, say) still gets plain words. */
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
