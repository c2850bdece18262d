import { availableParallelism } from 'node:os'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { SLOW, SlowFirst } from '../scripts/test/slow-first.ts'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  test: {
    name: 'web',
    environment: 'happy-dom',
    environmentOptions: { happyDOM: { url: 'http://localhost:3000/' } },
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/platform/testing/testing.setup.ts'],
    // The check of Mantine's sheets reads this one; all others are left out.
    css: { include: [/ui\/theme\/mantine\.css/] },
    restoreMocks: true,
    // Each file cleans up after itself, so that the next need not load everything anew.
    isolate: false,
    // Another suite runs beside it.
    maxWorkers: availableParallelism(),
    sequence: { sequencer: SlowFirst },
    tags: [SLOW],
    // A machine that is busy with other things is no defect.
    testTimeout: 240_000,
    unstubGlobals: true,
  },
})
