import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { mutated } from './areas.ts'

export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: Object.values(mutated).flatMap(({ tests }) => [...tests]),
    setupFiles: ['./server/src/platform/testing/testing.guard.ts'],
    testTimeout: 60_000,
    env: { TZ: 'UTC', LIMBER_ROUNDS: 'least' },
  },
})
