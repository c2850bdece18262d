import { CallFailure } from '#platform/api/call-failure.ts'
import { PasskeyError } from '../passkeys/passkey.ts'

/** A failed step: its cause and a fallback text for when the server sent none. */
export class StepFailure extends Error {
  override readonly name = 'StepFailure'
  override readonly cause: unknown

  constructor(fallback: string, cause: unknown) {
    super(fallback)
    this.cause = cause
  }
}

/** Runs one step and adds a fallback text to its error. */
export async function attempt<T>(fallback: string, step: Promise<T>): Promise<T> {
  try {
    return await step
  } catch (error) {
    throw new StepFailure(fallback, error)
  }
}

export const causeOf = (error: unknown): unknown => (error instanceof StepFailure ? error.cause : error)

interface ErrorText {
  text: string
  detail?: string
  code?: string
}

const waitText = (seconds: number) =>
  seconds < 90 ? `Try again in ${seconds} seconds.` : `Try again in ${Math.ceil(seconds / 60)} minutes.`

// Not a reply of our server: no connection, or a proxy's error page.
const hasNoMessage = ({ status, code }: CallFailure) => status === 0 || code.startsWith('status_')

/**
 * Uses the server's text if there is one, else the fallback with the reason as detail. `unexpected` is for errors that
 * come neither from a call nor from a passkey.
 */
export function explain(error: unknown, unexpected?: string): ErrorText {
  const cause = causeOf(error)
  const fallback = error instanceof StepFailure ? error.message : undefined
  if (cause instanceof PasskeyError) {
    const isUnclear = cause.code === 'ERROR_UNKNOWN' && unexpected
    return isUnclear
      ? { text: unexpected, detail: cause.message, code: cause.code }
      : { text: cause.message, code: cause.code }
  }
  if (!(cause instanceof CallFailure))
    return { text: unexpected ?? fallback ?? 'Something went wrong. Reload the page and try again.' }
  if (fallback && hasNoMessage(cause)) return { text: fallback, detail: cause.message }
  return { text: cause.message, ...(cause.retryAfter ? { detail: waitText(cause.retryAfter) } : {}) }
}
