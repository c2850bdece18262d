const partsOf = (path: string) => path.replace(/\/+$/, '').split('/')

const fits = (wanted: readonly string[], given: readonly string[]) =>
  wanted.every((part, place) => (part.startsWith('$') ? Boolean(given[place]) : part === given[place]))

/** Does a path begin with a pattern, part by part? A part that begins with `$` stands for anything. */
export const pathMatches = (pattern: string, path: string): boolean => fits(partsOf(pattern), partsOf(path))

/** Is a path what a pattern says, to its end? A slash behind it is none of its parts. */
export function isAt(pattern: string, path: string): boolean {
  const [wanted, given] = [partsOf(pattern), partsOf(path)]
  return wanted.length === given.length && fits(wanted, given)
}
