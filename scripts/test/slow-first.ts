import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The tag of files that take seconds by their nature: `// @module-tag slow` in their first line. */
export const SLOW = {
  name: 'slow',
  description: 'Begins first; left out of `npm run check`; repeated more often by `npm run test:long`.',
}

const isSlow = ({ moduleId }: TestSpecification) => readFileSync(moduleId, 'utf8').startsWith('// @module-tag slow\n')
// `npm run check` leaves the slow files to `npm test`, and `npm run test:long` runs nothing else.
const wanted = { without: (slow: boolean) => !slow, only: (slow: boolean) => slow }[process.env.LIMBER_SLOW ?? '']

/** What takes longest begins first, so that the end is not spent waiting for it. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = (await super.sort(files)).map((file) => ({ file, slow: isSlow(file) }))
    return sorted
      .filter(({ slow }) => wanted?.(slow) ?? true)
      .toSorted((a, b) => Number(b.slow) - Number(a.slow))
      .map(({ file }) => file)
  }
}
