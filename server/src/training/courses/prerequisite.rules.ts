/** Maps a key to the keys of its prerequisites. */
export type Requirements = ReadonlyMap<string, readonly string[]>

/**
 * Finds a loop of prerequisites that contains the given key, as a path: a, b, a. Undefined if there is none.
 * Iterative, so a long chain cannot overflow the stack.
 */
export function findCycle(requirements: Requirements, from: string): string[] | undefined {
  const cameFrom = new Map<string, string>()
  const waiting = [from]
  while (waiting.length > 0) {
    const at = waiting.pop() as string
    for (const next of requirements.get(at) ?? []) {
      if (next === from) {
        const path = [from]
        for (let step: string | undefined = at; step !== undefined && step !== from; step = cameFrom.get(step))
          path.push(step)
        path.push(from)
        return path.reverse()
      }
      if (cameFrom.has(next)) continue
      cameFrom.set(next, at)
      waiting.push(next)
    }
  }
  return undefined
}

/** The loop as text. */
export const formatLoop = (path: readonly string[], titleOf: (key: string) => string) =>
  path.map((key) => `“${titleOf(key)}”`).join(' needs ')

interface Node {
  key: string
  title: string
  requires: readonly string[]
}

/**
 * What is wrong with the new prerequisites of a record, among all records of its kind: the record itself, an unknown
 * key, or a loop.
 */
export function findPrerequisiteFault(
  nodes: readonly Node[],
  of: { key: string; title: string },
  wanted: readonly string[],
): { code: 'own' } | { code: 'unknown'; key: string } | { code: 'cycle'; path: string } | undefined {
  if (wanted.includes(of.key)) return { code: 'own' }
  const titles = new Map([...nodes.map(({ key, title }) => [key, title] as const), [of.key, of.title]])
  const unknown = wanted.find((key) => !titles.has(key))
  if (unknown !== undefined) return { code: 'unknown', key: unknown }
  const requirements: Requirements = new Map([
    ...nodes.map(({ key, requires }) => [key, requires] as const),
    [of.key, wanted],
  ])
  const path = findCycle(requirements, of.key)
  return path && { code: 'cycle', path: formatLoop(path, (key) => titles.get(key) ?? key) }
}
