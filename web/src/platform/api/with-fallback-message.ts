import { CallFailure } from './call-failure.ts'

// Nothing of ours answered: no connection, or the page of some proxy.
const hasNoServerMessage = ({ status, code }: CallFailure) => status === 0 || code.startsWith('status_')

/** Waits for a call; a failure for which the server gave no words gets these. */
export async function withFallbackMessage<T>(text: string, call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof CallFailure && !hasNoServerMessage(error)) throw error
    if (error instanceof CallFailure) throw new CallFailure(error.status, { error: text, code: error.code })
    throw new CallFailure(0, { error: text, code: 'unknown' })
  }
}
