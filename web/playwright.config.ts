import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { findBrowser, WITH_WEBGL, WITHOUT_WEBGL } from '../scripts/browser.ts'

const { executablePath, args } = await findBrowser((line) => process.stderr.write(`${line}\n`))

const LONG = /(training|crawl|payloads)\.spec/
// Only the map needs WebGL; without a graphics card it makes everything else slower.
const MAP = /growth\.spec/
const drawing = { executablePath, args: [...args, ...WITH_WEBGL] }
const plain = { executablePath, args: [...args, ...WITHOUT_WEBGL] }

export default defineConfig({
  testDir: 'tests',
  globalSetup: './tests/journeys.setup.ts',
  outputDir: '../test-results',
  // Each has servers of its own. One more than the machine has processors: a page often waits for its server, and a server for its page.
  workers: availableParallelism() + 1,
  // A journey that fails once is walked again from the beginning, and the report names it.
  retries: 1,
  fullyParallel: false,
  forbidOnly: Boolean(process.env.CI),
  // Far above what a loaded machine needs: only a failing journey reaches them.
  timeout: 900_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
    actionTimeout: 60_000,
    screenshot: 'only-on-failure',
  },
  // The longest begin first, so that the end is not spent waiting for them.
  projects: [
    { name: 'long', testMatch: LONG, use: { launchOptions: plain } },
    { name: 'map', testMatch: MAP, use: { launchOptions: drawing } },
    { name: 'screens', testIgnore: [LONG, MAP], use: { launchOptions: plain } },
  ],
})
