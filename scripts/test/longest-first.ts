import { BaseSequencer, type TestSpecification } from 'vitest/node'

// `npm run check` leaves the longest to `npm test`.
const isQuick = process.env.LIMBER_QUICK_TESTS === '1'

/** An order in which what takes longest begins first, so that the end is not spent waiting for it. */
export const longestFirst = (long: RegExp) =>
  class extends BaseSequencer {
    override async sort(files: TestSpecification[]) {
      const sorted = (await super.sort(files)).filter(({ moduleId }) => !isQuick || !long.test(moduleId))
      return sorted.toSorted((a, b) => Number(long.test(b.moduleId)) - Number(long.test(a.moduleId)))
    }
  }
