import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const LONG = /embedded\/|backups\/|story|timing|crash|kill|analytics\/figures|matrix|fuzz\/|races/
// `npm run check` leaves them to `npm test`.
const isQuick = process.env.LIMBER_QUICK_TESTS === '1'

/** What takes longest begins first, so that the end is not spent waiting for it. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = (await super.sort(files)).filter(({ moduleId }) => !isQuick || !LONG.test(moduleId))
    return sorted.toSorted((a, b) => Number(LONG.test(b.moduleId)) - Number(LONG.test(a.moduleId)))
  }
}

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: [
      'src/**/*.test.ts',
      'seed/**/*.test.ts',
      'fuzz/**/*.test.ts',
      '../contract/src/**/*.test.ts',
      '../scripts/**/*.test.ts',
    ],
    globalSetup: ['./src/platform/testing.setup.ts'],
    setupFiles: ['./src/platform/testing.guard.ts'],
    pool: 'forks',
    // Files share what is loaded: each has a database of its own, and no state lives in modules.
    isolate: false,
    // One more than the machine has processors: many a test waits for a killed process to be missed.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    env: { TZ: 'UTC' },
  },
})
