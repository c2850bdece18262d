interface Cached<T> {
  version: string
  value: Promise<T>
}

/**
 * Caches a value while its version stays the same, so that simultaneous callers share one computation. Read the version
 * before computing the value: a value newer than its version is computed again, and an older one is never returned.
 */
export function cacheByVersion<T>(limit: number) {
  const all = new Map<string, Cached<T>>()
  return (key: string, version: string, compute: () => Promise<T>): Promise<T> => {
    const known = all.get(key)
    if (known?.version === version) return known.value
    const value = compute()
    all.delete(key)
    all.set(key, { version, value })
    const [oldest] = all.keys()
    if (all.size > limit && oldest !== undefined) all.delete(oldest)
    value.catch(() => {
      if (all.get(key)?.value === value) all.delete(key)
    })
    return value
  }
}
