import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { FIREFOX_PREFERENCES } from '../scripts/browser/firefox.ts'
import chromium from './playwright.config.ts'

const COMMAND = 'firefox-esr'

function isInstalled(): boolean {
  try {
    return execFileSync(COMMAND, ['--version']).length > 0
  } catch {
    process.stderr.write(`${COMMAND} is not installed: no journey runs in Firefox\n`)
    return false
  }
}

/** The journeys of tickets and payroll in Debian's Firefox. */
export default defineConfig({
  ...chromium,
  workers: 2,
  projects: [
    {
      name: 'firefox',
      testMatch: isInstalled() ? /(support-tickets|payroll)\.spec/ : [],
      use: {
        browserName: 'firefox',
        channel: 'moz-firefox',
        launchOptions: {
          executablePath: join(import.meta.dirname, '../scripts/browser/firefox-for-playwright.ts'),
          env: { ...process.env, TZ: 'America/Los_Angeles' },
          firefoxUserPrefs: FIREFOX_PREFERENCES,
        },
      },
    },
  ],
})
