import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { longestFirst } from '../scripts/test/longest-first.ts'

const sequencer = longestFirst(
  /scripts\/run\.|embedded\/|backups\/|seed\/|fuzz\/|story|timing|crash|kill|matrix|races|attacks|hostile|faults|outage|built|wire|audit-chain|campaign-push|allowed-email|reads|verification|notification|fixes\/fix|settlement|rollups\/(figures|roll-events)/,
)

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
    ],
    globalSetup: ['./src/platform/testing/testing.setup.ts'],
    setupFiles: ['./src/platform/testing/testing.guard.ts'],
    pool: 'forks',
    // Files share what is loaded: each has a database of its own, and no state lives in modules.
    isolate: false,
    // One more than the machine has processors: many a test waits for a killed process to be missed.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer },
    testTimeout: 20_000,
    hookTimeout: 60_000,
    env: { TZ: 'UTC' },
  },
})
