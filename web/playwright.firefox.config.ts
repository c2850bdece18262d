import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import chromium from './playwright.config.ts'

const COMMAND = 'firefox-esr'
const PREFERENCES = {
  // Firefox chooses the port of Marionette.
  'marionette.port': 0,
  // Passkeys of the virtual authenticator, not of a USB stick.
  'security.webauth.webauthn_enable_softtoken': true,
  'security.webauth.webauthn_enable_usbtoken': false,
  // Without animations, clicks do not wait.
  'ui.prefersReducedMotion': 1,
}

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
          firefoxUserPrefs: PREFERENCES,
        },
      },
    },
  ],
})
