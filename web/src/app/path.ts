const partsOf = (path: string) => path.replace(/\/+$/, '').split('/')

const fits = (wanted: readonly string[], given: readonly string[]) =>
  wanted.every((part, place) => (part.startsWith('$') ? Boolean(given[place]) : part === given[place]))

/** True when the path starts with the pattern, part by part. A part that begins with `$` matches any value. */
export const pathMatches = (pattern: string, path: string): boolean => fits(partsOf(pattern), partsOf(path))

/** True when the whole path matches the pattern. A trailing slash is ignored. */
export function isAt(pattern: string, path: string): boolean {
  const [wanted, given] = [partsOf(pattern), partsOf(path)]
  return wanted.length === given.length && fits(wanted, given)
}
