const KEY_LIFETIME = 10 * 60_000

// The keys of actions whose answer was lost: whoever does the same again takes the key up, and the server, which may have
// done it already, answers it once.
const unconfirmed = new Map<string, { key: string; at: number }>()

/** The key of an action: that of the same one whose answer was lost a short while ago, or a new one. */
export function keyFor(action: string): string {
  const known = unconfirmed.get(action)
  unconfirmed.delete(action)
  return known && performance.now() - known.at < KEY_LIFETIME ? known.key : crypto.randomUUID()
}

/** Keeps the key of an action that may or may not have been done. */
export function saveKey(action: string, key: string): void {
  unconfirmed.set(action, { key, at: performance.now() })
}
