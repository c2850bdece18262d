/** How often a test repeats itself: a few times in `npm test`, many times in `npm run test:long`. */
export const rounds = (few: number, many: number) => (process.env.LIMBER_ROUNDS === 'many' ? many : few)
