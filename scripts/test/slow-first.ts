import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The tag of slow test files: `// @module-tag slow` in the first line. */
export const SLOW = {
  name: 'slow',
  description: 'Runs first. Skipped by `npm run check`.',
}

const isSlow = ({ moduleId }: TestSpecification) => readFileSync(moduleId, 'utf8').startsWith('// @module-tag slow\n')
// `npm run check` skips the slow files.
const isQuick = process.env.LIMBER_SLOW === 'without'

/** Starts slow files first, so that the run does not end waiting for them. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = (await super.sort(files)).map((file) => ({ file, slow: isSlow(file) }))
    return sorted
      .filter(({ slow }) => !(slow && isQuick))
      .toSorted((a, b) => Number(b.slow) - Number(a.slow))
      .map(({ file }) => file)
  }
}
