/** How often a test repeats itself: a few times in `npm test`, many times in `npm run test:long`. */
export function rounds(few: number, many = few): number {
  if (process.env.LIMBER_ROUNDS === 'many') return many
  // `npm run test:mutations` runs a test hundreds of times.
  return process.env.LIMBER_ROUNDS === 'least' ? Math.min(few, 100) : few
}

/**
 * Some of the variants of a test that runs for many calls: other ones for each turn in `npm test`, so that every variant
 * meets many calls; all of them in `npm run test:long`.
 */
export function variants<Variant>(all: readonly Variant[], few: number, turn: number): Variant[] {
  const count = rounds(few, all.length)
  return all.map((_, place) => all[(turn * count + place) % all.length] as Variant).slice(0, count)
}
