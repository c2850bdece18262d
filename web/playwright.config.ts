import { defineConfig } from '@playwright/test'
import { findBrowser } from '../scripts/browser.ts'

const { executablePath, args } = await findBrowser((line) => process.stderr.write(`${line}\n`))

export default defineConfig({
  testDir: 'tests',
  globalSetup: './tests/pages.setup.ts',
  outputDir: '../test-results',
  // The journeys share one server, and the machine has other things to do.
  workers: 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    launchOptions: { executablePath, args },
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
    actionTimeout: 15_000,
    screenshot: 'only-on-failure',
  },
})
