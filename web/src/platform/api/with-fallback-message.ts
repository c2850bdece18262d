import { CallFailure } from './call-failure.ts'

// No connection, or a reply that is not from our server.
const hasNoServerMessage = ({ status, code }: CallFailure) => status === 0 || code.startsWith('status_')

/** Awaits a call. A failure without a message from the server gets this one. */
export async function withFallbackMessage<T>(text: string, call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof CallFailure && !hasNoServerMessage(error)) throw error
    if (error instanceof CallFailure) throw new CallFailure(error.status, { error: text, code: error.code })
    throw new CallFailure(0, { error: text, code: 'unknown' })
  }
}
