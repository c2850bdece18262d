const memory = new Map<string, string>()

const keyOf = (name: string) => `limber.link.${name}`

/**
 * Takes a secret out of the address at once, so that it stands in no history, no referrer and no screenshot. A reload
 * of this tab finds it again; nothing else does.
 */
export function takeSecret(name: 'token' | 'key'): string | undefined {
  const url = new URL(location.href)
  const given = url.searchParams.get(name)
  if (given !== null) {
    url.searchParams.delete(name)
    history.replaceState(history.state, '', url.pathname + url.search + url.hash)
    keep(name, given)
  }
  return read(name) || undefined
}

/** A secret that was used up, or never worked, is not kept. */
export function dropSecret(name: 'token' | 'key'): void {
  memory.delete(name)
  try {
    sessionStorage.removeItem(keyOf(name))
  } catch {
    // Nothing was kept there either.
  }
}

function keep(name: string, secret: string): void {
  try {
    sessionStorage.setItem(keyOf(name), secret)
  } catch {
    // A browser that refuses storage forgets the link with the page.
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
