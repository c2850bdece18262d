/** What this browser remembers between visits. A browser that refuses storage forgets, and nothing else changes. */
export function readPreference(key: string): string | null {
  try {
    return localStorage.getItem(`limber.${key}`)
  } catch {
    return null
  }
}

/** Takes back what was remembered. */
export function removePreference(key: string): void {
  try {
    localStorage.removeItem(`limber.${key}`)
  } catch {
    // A browser that refuses storage has nothing to forget.
  }
}

export function savePreference(key: string, value: string): void {
  try {
    localStorage.setItem(`limber.${key}`, value)
  } catch {
    // Full or forbidden storage: the choice lasts until the page is closed.
  }
}
