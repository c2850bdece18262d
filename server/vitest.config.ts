import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { SLOW, SlowFirst } from '../scripts/test/slow-first.ts'

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: [
      'src/**/*.test.ts',
      '../seed/**/*.test.ts',
      '../fuzz/**/*.test.ts',
      '../contract/src/**/*.test.ts',
      '../scripts/**/*.test.ts',
      '../bench/**/*.test.ts',
      '../examples/**/*.test.ts',
    ],
    globalSetup: ['./src/platform/testing/testing.setup.ts'],
    setupFiles: ['./src/platform/testing/testing.guard.ts'],
    pool: 'forks',
    // Node runs these sources itself. Vite's runner would transform each file and look up each import when it is used,
    // which takes a seventh of the time. Nothing mocks a module.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Files share what is loaded: each has a database of its own, and no state lives in modules.
    isolate: false,
    // One more than the machine has processors: many a test waits for a killed process to be missed.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowFirst },
    tags: [SLOW],
    // Far above what a loaded machine needs: only a failing test reaches them.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    env: { TZ: 'UTC' },
  },
})
