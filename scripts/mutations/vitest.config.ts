import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { mutated } from './areas.ts'

export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: Object.values(mutated).flatMap(({ tests }) => [...tests]),
    setupFiles: ['./server/src/platform/testing/testing.guard.ts'],
    // Stryker has a limit of its own for each mutant. This one is for a first run on a busy machine.
    testTimeout: 600_000,
    env: { TZ: 'UTC', LIMBER_ROUNDS: 'least' },
  },
})
