import { defineConfig } from '@playwright/test'
import { findBrowser } from '../scripts/browser.ts'

const { executablePath, args } = await findBrowser((line) => process.stderr.write(`${line}\n`))

export default defineConfig({
  testDir: 'tests',
  globalSetup: './tests/journeys.setup.ts',
  outputDir: '../test-results',
  // Each worker has servers of its own; a page and its server keep one processor busy.
  workers: 2,
  // A journey that fails once is walked again from the beginning, and the report names it.
  retries: 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: 'list',
  use: {
    launchOptions: { executablePath, args },
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
    actionTimeout: 30_000,
    screenshot: 'only-on-failure',
  },
})
