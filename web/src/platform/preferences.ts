/** Reads a setting that this browser keeps between visits. Without storage there is none. */
export function readPreference(key: string): string | null {
  try {
    return localStorage.getItem(`limber.${key}`)
  } catch {
    return null
  }
}

/** The settings that are not personal data, and so outlive the session. */
const LASTING = ['theme', 'letter-keys'] as const

/** Saves the lasting settings again after the server cleared the browser's storage. */
export async function keepLasting(clear: () => Promise<unknown>): Promise<void> {
  const before = LASTING.map((key) => [key, readPreference(key)] as const)
  await clear()
  for (const [key, value] of before) if (value !== null) savePreference(key, value)
}

/** Removes a saved setting. */
export function removePreference(key: string): void {
  try {
    localStorage.removeItem(`limber.${key}`)
  } catch {
    // Without storage there is nothing to remove.
  }
}

export function savePreference(key: string, value: string): void {
  try {
    localStorage.setItem(`limber.${key}`, value)
  } catch {
    // Storage is full or blocked: the setting lasts until the page is closed.
  }
}
