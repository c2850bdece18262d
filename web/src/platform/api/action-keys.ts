const KEY_LIFETIME = 10 * 60_000

// Idempotency keys of actions whose reply was lost. Repeating the action reuses its key, so the server, which may have
// made the change already, does not make it twice.
const unconfirmed = new Map<string, { key: string; at: number }>()

/** The idempotency key of an action: the saved one if its last reply was lost recently, otherwise a new one. */
export function keyFor(action: string): string {
  const known = unconfirmed.get(action)
  unconfirmed.delete(action)
  return known && performance.now() - known.at < KEY_LIFETIME ? known.key : crypto.randomUUID()
}

/** Saves the key of an action whose outcome is unknown. */
export function saveKey(action: string, key: string): void {
  unconfirmed.set(action, { key, at: performance.now() })
}
