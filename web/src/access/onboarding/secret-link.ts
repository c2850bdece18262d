const memory = new Map<string, string>()

const keyOf = (name: string) => `limber.link.${name}`

/**
 * Moves a secret from the URL into session storage, to keep it out of history, referrers and screenshots. Only a reload
 * of this tab can read it again.
 */
export function takeSecret(name: 'token' | 'key'): string | undefined {
  const url = new URL(location.href)
  const given = url.searchParams.get(name)
  if (given !== null) {
    url.searchParams.delete(name)
    history.replaceState(history.state, '', url.pathname + url.search + url.hash)
    store(name, given)
  }
  return read(name) || undefined
}

/** Forgets a secret that was used or never worked. */
export function dropSecret(name: 'token' | 'key'): void {
  memory.delete(name)
  try {
    sessionStorage.removeItem(keyOf(name))
  } catch {
    // Without storage there is nothing to remove.
  }
}

function store(name: string, secret: string): void {
  try {
    sessionStorage.setItem(keyOf(name), secret)
  } catch {
    // Without storage the secret lives as long as the page.
    memory.set(name, secret)
  }
}

function read(name: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(name)) ?? memory.get(name) ?? null
  } catch {
    return memory.get(name) ?? null
  }
}
