interface Kept<T> {
  version: string
  value: Promise<T>
}

/**
 * Keeps what was computed for as long as its version holds, so that many who ask at the same moment cost one answer. The
 * version must be read before the value is computed: what is newer than its version is computed once more, what is older
 * is never given.
 */
export function cacheByVersion<T>(most: number) {
  const all = new Map<string, Kept<T>>()
  return (key: string, version: string, compute: () => Promise<T>): Promise<T> => {
    const known = all.get(key)
    if (known?.version === version) return known.value
    const value = compute()
    all.delete(key)
    all.set(key, { version, value })
    const [oldest] = all.keys()
    if (all.size > most && oldest !== undefined) all.delete(oldest)
    value.catch(() => {
      if (all.get(key)?.value === value) all.delete(key)
    })
    return value
  }
}
