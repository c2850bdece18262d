import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The tag of slow test files: `// @module-tag slow` in the first line. */
export const SLOW = {
  name: 'slow',
  description: 'Runs first. Skipped by `npm run check`. Repeated more often by `npm run test:long`.',
}

const isSlow = ({ moduleId }: TestSpecification) => readFileSync(moduleId, 'utf8').startsWith('// @module-tag slow\n')
// `npm run check` skips the slow files. `npm run test:long` runs nothing else.
const wanted = { without: (slow: boolean) => !slow, only: (slow: boolean) => slow }[process.env.LIMBER_SLOW ?? '']

/** Starts slow files first, so that the run does not end waiting for them. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = (await super.sort(files)).map((file) => ({ file, slow: isSlow(file) }))
    return sorted
      .filter(({ slow }) => wanted?.(slow) ?? true)
      .toSorted((a, b) => Number(b.slow) - Number(a.slow))
      .map(({ file }) => file)
  }
}
