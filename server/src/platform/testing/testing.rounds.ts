/** How often a test repeats itself: a few times in `npm test`, many times in `npm run test:long`. */
export function rounds(few: number, many = few): number {
  if (process.env.LIMBER_ROUNDS === 'many') return many
  // `npm run test:mutations` runs a test hundreds of times.
  return process.env.LIMBER_ROUNDS === 'least' ? Math.min(few, 100) : few
}
