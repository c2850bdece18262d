import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Page } from '@playwright/test'
import { makeScratchHome } from '../../server/src/embedded/scratch.ts'
import { linkIn, onboard } from './access-steps.ts'
import { expect, Person, test } from './journey.ts'
import { startLimber } from './limber.ts'
import { openMailbox } from './mailbox.ts'
import { programFile } from './programs.ts'
import { Authenticator, type CodeApp } from './proofs.ts'

const OWNER = 'elena.marsh@coastline.example'
const COLLEAGUE = 'rafael.ortega@coastline.example'
const AREA = {
  type: 'Polygon',
  coordinates: [
    [
      [-118.24, 33.74],
      [-118.06, 33.74],
      [-118.06, 33.88],
      [-118.24, 33.88],
      [-118.24, 33.74],
    ],
  ],
}

/** The sign-in code, by the command that the screen names. */
async function readCode(home: string): Promise<string> {
  const env = { ...process.env, LIMBER_HOME: home }
  const { stdout } = await promisify(execFile)(process.execPath, [programFile('limber'), 'mail', '--to', OWNER], {
    env,
  })
  return /Your code is (\d{6})/.exec(stdout)?.[1] ?? ''
}

async function signIn(page: Page, home: string, app: CodeApp): Promise<void> {
  await page.getByLabel('Email').fill(OWNER)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('npm run limber -- mail')).toBeVisible()
  await expect.poll(() => readCode(home)).not.toBe('')
  await page.getByLabel('6-digit code').fill(await readCode(home))
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('heading', { name: 'Two-factor code' })).toBeVisible()
  await page.getByLabel('6-digit code').fill(app.next())
  await page.getByRole('button', { name: 'Verify' }).click()
}

test('an empty company is set up by its guide', async ({ browser }) => {
  const mailbox = await openMailbox()
  // The commands need the home, too.
  const home = await makeScratchHome('limber-setup-')
  const settings = { LIMBER_HOME: home, OWNER_EMAIL: OWNER, OWNER_NAME: 'Elena Marsh' }
  const limber = await startLimber('own', undefined, settings)
  const owner = await Person.open(browser, { baseURL: limber.url })
  const { page } = owner
  await Authenticator.attach(page)
  const step = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, level: 4 }) })
  const isDone = async (name: string, done: number) => {
    await expect(step(`${name} (done)`)).toBeVisible()
    await expect(page.getByText(`${done} of 10 done.`, { exact: false })).toBeVisible()
  }
  const today = () => page.goto('/worker/managing/today')

  await test.step('the Owner signs in without a mail server and finds the guide', async () => {
    const { app } = await onboard(owner, limber.link)
    await signIn(page, home, app)
    await expect(page.getByRole('heading', { name: 'Set up your company' })).toBeVisible()
    await expect(page.getByText('0 of 10 done.', { exact: false })).toBeVisible()
    await owner.checkScreen()
  })

  await test.step('company profile', async () => {
    await step('Company profile').getByRole('link', { name: 'Fill in' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Coastline Stretch')
    await page.getByLabel('Street').fill('100 Ocean Blvd')
    await page.getByLabel('City').fill('Long Beach')
    await page.getByLabel('State').fill('CA')
    await page.getByLabel('ZIP code').fill('90802')
    await page.getByRole('button', { name: 'Save profile' }).click()
    await expect(page.getByText('Company profile saved.')).toBeVisible()
    await today()
    await expect(page.getByRole('heading', { name: 'Set up Coastline Stretch' })).toBeVisible()
    await isDone('Company profile', 1)
  })

  await test.step('mail server, with a test email', async () => {
    const { hostname, port } = new URL(mailbox.url)
    const form = step('Mail server')
    await form.getByLabel('Server').fill(hostname)
    await form.getByLabel('Port').fill(port)
    await form.getByLabel('Security').selectOption('None')
    await form.getByLabel('From address').fill('hello@coastline.example')
    await form.getByRole('button', { name: 'Save and send test' }).click()
    await isDone('Mail server', 2)
    const mail = await mailbox.find(OWNER, 'Test email')
    expect(mail.header('From')).toBe('Coastline Stretch <hello@coastline.example>')
  })

  await test.step('backup key', async () => {
    await step('Keep the backup key elsewhere').getByRole('button', { name: 'Show key' }).click()
    const dialog = page.getByRole('dialog', { name: 'Backup key' })
    await dialog.getByLabel('I keep a copy elsewhere').check()
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await isDone('Keep the backup key elsewhere', 3)
  })

  await test.step('first zone', async () => {
    await step('First zone').getByRole('link', { name: 'Draw a zone' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Long Beach')
    await page.getByLabel('Area (GeoJSON)').fill(JSON.stringify(AREA))
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByText('Long Beach added.')).toBeVisible()
    await today()
    await isDone('First zone', 4)
  })

  await test.step('first colleague, who gets the link by email', async () => {
    await step('First colleague').getByRole('link', { name: 'Invite' }).click()
    await page.getByRole('button', { name: 'Invite worker' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite a worker' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Rafael Ortega')
    await dialog.getByRole('textbox', { name: 'Email' }).fill(COLLEAGUE)
    await dialog.getByLabel('Role').selectOption('Support Lead')
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    await expect(page.getByText(`An onboarding link is on its way to ${COLLEAGUE}.`)).toBeVisible()
    await today()
    await expect(step('First colleague (started)')).toBeVisible()
    const colleague = await Person.open(browser)
    await Authenticator.attach(colleague.page)
    await onboard(colleague, await linkIn(mailbox, COLLEAGUE, 'Set up your Limber account'))
    await colleague.leave()
    await isDone('First colleague', 5)
  })

  await test.step('an API key, used once', async () => {
    await step('Connect your app').getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('button', { name: 'Create API key' }).first().click()
    const form = page.getByRole('dialog', { name: 'Create API key' })
    await form.getByRole('textbox', { name: 'Name' }).fill('Customer app')
    await form.getByRole('textbox', { name: 'Source' }).fill('app')
    await form.getByRole('button', { name: 'Read everything' }).click()
    await form.getByRole('button', { name: 'Create key' }).click()
    const shown = page.getByRole('dialog', { name: 'Copy the key for Customer app' })
    const token = (await shown.locator('code').first().innerText()).trim()
    const reply = await fetch(`${limber.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })
    expect(reply.status).toBe(200)
    await shown.getByLabel('I saved the key in a safe place').check()
    await shown.getByRole('button', { name: 'Done' }).click()
    await today()
    await isDone('Connect your app', 6)
  })

  await test.step('customers, from a file', async () => {
    await step('Customers').getByRole('link', { name: 'Import' }).click()
    const buffer = Buffer.from('First name,Last name,Email\nAna,Ruiz,ana@example.com\nBo,Ek,bo@example.com\n')
    await page.getByLabel('CSV file').setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer })
    await page.getByRole('button', { name: 'Match columns' }).click()
    await page.getByRole('button', { name: 'Check 2 rows' }).click()
    await page.getByRole('button', { name: 'Apply 2 changes' }).click()
    await expect(page.getByText('2 of 2 changes were applied.')).toBeVisible()
    await today()
    await isDone('Customers', 7)
  })

  await test.step('payroll start; the rest is optional, so the guide is hidden', async () => {
    await step('Payroll starts on').getByRole('button', { name: 'Save' }).click()
    await isDone('Payroll starts on', 8)
    await owner.checkScreen()
    await page.getByRole('button', { name: 'Hide guide' }).click()
    await expect(page.getByRole('heading', { name: 'Set up Coastline Stretch' })).toHaveCount(0)
    await page.goto('/worker/tech/company')
    await page.getByRole('button', { name: 'Show setup guide' }).click()
    await expect(page.getByText('The setup guide is back on Today.')).toBeVisible()
  })

  await test.step('a backup is made on demand, verified by a restore, and opened', async () => {
    await page.goto('/worker/tech/backups')
    const table = page.getByRole('table', { name: 'Backups, newest first' })
    await expect(page.getByRole('heading', { name: 'Backups', level: 1 })).toBeVisible()
    await owner.checkScreen()
    await page.getByRole('button', { name: 'Back up now' }).click()
    await expect(page.getByText('Backup started.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Back up now' })).toBeDisabled()
    const made = table.getByRole('row').filter({ hasText: 'Elena Marsh' })
    await expect(made.getByText('Verified', { exact: true })).toBeVisible({ timeout: 300_000 })
    await owner.checkScreen()
    await made.getByRole('button').first().click()
    const dialog = page.getByRole('dialog', { name: 'Backup' })
    await expect(dialog.getByText(/npm run limber -- restore/)).toBeVisible()
    await dialog.getByText('Rows by table').click()
    await expect(dialog.getByRole('rowheader', { name: 'customers', exact: true })).toBeVisible()
    await owner.checkScreen()
    await dialog.getByRole('button', { name: 'Verify again' }).click()
    await expect(page.getByText('Verification started.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Back up now' })).toBeEnabled({ timeout: 300_000 })
    await expect(made.getByText('Verified', { exact: true })).toBeVisible()
  })
  await owner.leave()
  await limber.stop()
  await mailbox.close()
  await rm(home, { recursive: true, force: true })
})
