/** Reads a setting that this browser keeps between visits. Without storage there is none. */
export function readPreference(key: string): string | null {
  try {
    return localStorage.getItem(`limber.${key}`)
  } catch {
    return null
  }
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
