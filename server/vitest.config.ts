import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ['src/**/*.test.ts', 'seed/**/*.test.ts', '../contract/src/**/*.test.ts', '../scripts/**/*.test.ts'],
    globalSetup: ['./src/platform/testing.setup.ts'],
    setupFiles: ['./src/platform/testing.guard.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    env: { TZ: 'UTC' },
  },
})
