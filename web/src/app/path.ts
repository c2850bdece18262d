/** Does a path begin with a pattern, part by part? A part that begins with `$` stands for anything. */
export function pathMatches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.replace(/\/+$/, '').split('/')
  return wanted.every((part, place) => (part.startsWith('$') ? Boolean(given[place]) : part === given[place]))
}
