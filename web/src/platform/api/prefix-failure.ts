import { messageOf } from './api.ts'
import { CallFailure } from './call-failure.ts'

/** The same failure, with what failed in front of its message: 'Failed to add note: …'. */
export function prefixFailure(what: string, error: unknown): CallFailure {
  const text = `${what}: ${messageOf(error)}`
  if (!(error instanceof CallFailure)) return new CallFailure(0, { error: text, code: 'page' })
  const { status, code, fields, current, retryAfter } = error
  const named = new CallFailure(status, { error: text, message: text, code, fields: [...fields], current }, retryAfter)
  return Object.assign(named, { cause: error })
}

/** Awaits a call and prefixes the message of its failure. */
export async function withFailurePrefix<T>(what: string, call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw prefixFailure(what, error)
  }
}
