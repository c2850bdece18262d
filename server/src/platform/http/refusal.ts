import type { ApiScope } from '@limber/contract/access/api-keys/scopes.ts'
import { SIGN_IN_FAILED } from '@limber/contract/access/sign-in/sign-in.ts'
import {
  type CallDefinition,
  type CurrentInputOf,
  changedText,
  type Failure,
  type RefusalOf,
} from '@limber/contract/kit/call.ts'

/** A refused call: its status, its user-facing text, and a reason that only the audit log records. */
export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly text: string
  readonly extra: RefusalExtra
  /** The text before values were filled in. It contains no personal data. */
  readonly template: string

  constructor(status: number, code: string, text: string, extra: RefusalExtra = {}, template = text) {
    super(`${status} ${code}`)
    this.status = status
    this.code = code
    this.text = text
    this.extra = extra
    this.template = template
  }
}

export interface RefusalExtra<Current = unknown> {
  /** Seconds to wait before a retry. */
  retryAfter?: number
  /** The internal reason, for tests and the audit log; never sent. */
  reason?: string
  fields?: Failure['fields']
  /** The current record, when the request had a stale version. */
  current?: Current
  /** Values for the `{placeholders}` in the refusal's text. */
  values?: Record<string, string | number>
  /** Commits what was written before the refusal, such as counters of failed attempts. Default: roll back. */
  keepsWrites?: boolean
}

/** A refusal that the contract lists for the call. */
export const refuse = <C extends CallDefinition, const Code extends RefusalOf<C>>(
  call: C,
  code: Code,
  extra: RefusalExtra<CurrentInputOf<C, Code>> = {},
): Refusal => refuseBy(call, code, extra)

/** The same when the call or the code is known only at run time. */
export function refuseBy(call: CallDefinition, code: string, extra: RefusalExtra = {}): Refusal {
  const listed = call.refusals?.[code]
  if (!listed) throw new Error(`${call.method} ${call.path} has no refusal ${code}`)
  const [status, text] = listed
  return new Refusal(status, code, fill(text, extra.values), extra, text)
}

const fill = (text: string, values: Record<string, string | number> = {}) =>
  text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder))

/** Refusals that any call may return. */
export const refusals = {
  badRequest: (text: string, fields?: Failure['fields']) =>
    new Refusal(400, 'bad_request', text, fields ? { fields } : {}),
  noSession: () => new Refusal(401, 'no_session', 'Sign in to continue.'),
  // The same text as a failed sign-in step, so that it reveals nothing.
  noAttempt: () => new Refusal(401, 'sign_in_failed', SIGN_IN_FAILED),
  noApiKey: () => new Refusal(401, 'no_api_key', 'Send an API key in the header Authorization: Bearer lmb_…'),
  badApiKey: () => new Refusal(401, 'bad_api_key', 'This API key does not exist, or its secret is incorrect.'),
  keyRevoked: () => new Refusal(401, 'key_revoked', 'This API key has been revoked.'),
  keyExpired: () => new Refusal(401, 'key_expired', 'This API key has expired.'),
  network: () => new Refusal(403, 'network', 'This API key is not allowed from this address.'),
  scope: (scope: ApiScope) => new Refusal(403, 'scope', `This API key does not have the scope ${scope}.`),
  forbidden: () => new Refusal(403, 'forbidden', 'You do not have permission to do this.'),
  badOrigin: () => new Refusal(403, 'bad_origin', 'This request did not come from this site.'),
  badCsrf: () => new Refusal(403, 'bad_csrf', 'This page is out of date. Reload it and try again.'),
  stepUp: () => new Refusal(403, 'step_up_required', 'Confirm with your passkey to continue.'),
  notFound: () => new Refusal(404, 'not_found', 'Not found. Check the address.'),
  conflict: () => new Refusal(409, 'conflict', changedText('this record')),
  stillRunning: () =>
    new Refusal(409, 'still_running', 'The same request is still being processed.', { retryAfter: 1 }),
  timeout: () => new Refusal(408, 'timeout', 'The request took too long to arrive.'),
  tooLarge: () => new Refusal(413, 'too_large', 'The request is too large.'),
  mediaType: () => new Refusal(415, 'media_type', 'Send JSON: application/json in UTF-8.'),
  keyReused: () => new Refusal(422, 'key_reused', 'This idempotency key was used for a different request.'),
  tooMany: (retryAfter: number) =>
    new Refusal(429, 'too_many', 'Too many requests. Wait a moment and try again.', { retryAfter }),
  headersTooLong: () => new Refusal(431, 'headers_too_long', 'The URL or the headers of this request are too long.'),
  broken: () => new Refusal(500, 'broken', 'Something went wrong on our side. It has been recorded.'),
  filesUnavailable: () =>
    new Refusal(
      503,
      'files_unavailable',
      'The storage for files is not available. Try again in a moment. If it stays so, ask an Owner to look at System health.',
      { retryAfter: 5 },
    ),
  unavailable: () =>
    new Refusal(503, 'unavailable', 'The service is briefly unavailable. Try again in a moment.', { retryAfter: 2 }),
} as const

/** The reply body of a refusal. */
export const failureBody = ({ text, code, extra }: Refusal): Failure => ({
  success: false,
  error: text,
  message: text,
  code,
  ...(extra.fields && { fields: extra.fields }),
  ...(extra.current !== undefined && { current: extra.current }),
})
