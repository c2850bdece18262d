import { expect, type Person } from './journey.ts'
import type { Limber } from './limber.ts'
import type { Mailbox } from './mailbox.ts'
import { CodeApp } from './proofs.ts'

interface Onboarded {
  app: CodeApp
  recoveryCodes: string[]
}

/** The code of the newest email, once more than `after` have arrived. */
async function mailedCode(mailbox: Mailbox, email: string, after: number): Promise<string> {
  await expect.poll(() => mailbox.count(email, 'sign-in code')).toBeGreaterThan(after)
  const { text } = await mailbox.find(email, 'sign-in code')
  return /\b\d{6}\b/.exec(text)?.[0] ?? ''
}

/** Completes onboarding with a link. */
export async function onboard(person: Person, link: string): Promise<Onboarded> {
  const { page } = person
  await page.goto(link)
  await page.getByRole('button', { name: 'Register Passkey' }).click()
  // The secret is no longer in the URL.
  expect(page.url()).toMatch(/\/onboarding$/)
  await expect(page.getByRole('heading', { name: 'Set Up Two-Factor Authentication' })).toBeVisible()
  await page.getByRole('button', { name: 'Generate QR Code' }).click()
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
  const app = new CodeApp(await page.locator('code').first().innerText())
  await person.checkScreenOnce('onboarding: QR code')
  await page.getByRole('button', { name: "I've scanned" }).click()
  await page.getByLabel('6-digit code').fill(app.now())
  await page.getByRole('button', { name: 'Confirm code' }).click()
  await page.getByRole('button', { name: 'Enable Multi-Device Authentication' }).waitFor()
  // A reload keeps the step.
  await page.reload()
  await page.getByRole('button', { name: 'Enable Multi-Device Authentication' }).click()
  await page.getByRole('button', { name: 'Complete Onboarding' }).click()
  await expect(page.getByRole('heading', { name: 'Onboarding Complete' })).toBeVisible()
  const recoveryCodes = await page.getByRole('list', { name: 'Recovery codes' }).locator('code').allInnerTexts()
  expect(recoveryCodes).toHaveLength(10)
  await person.checkScreenOnce('onboarding: complete')
  const goOn = page.getByRole('button', { name: /^Go to (Worker Profile|Today)$/ })
  await expect(goOn).toBeDisabled()
  await page.getByLabel('I saved these codes').check()
  await goOn.click()
  return { app, recoveryCodes }
}

/** Signs in. A new browser also needs the emailed code. */
export async function signIn(
  { page }: Person,
  email: string,
  { app, limber, mailbox, isKnown = false }: { app: CodeApp; limber: Limber; mailbox: Mailbox; isKnown?: boolean },
): Promise<void> {
  const before = mailbox.count(email, 'sign-in code')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  if (!isKnown) {
    await expect(page.getByRole('heading', { name: 'Device code' })).toBeVisible()
    await page.getByLabel('6-digit code').fill(await mailedCode(mailbox, email, before))
    await page.getByRole('button', { name: 'Verify' }).click()
  }
  await expect(page.getByRole('heading', { name: 'Two-factor code' })).toBeVisible()
  await limber.clearUsedCodes()
  await page.getByLabel('6-digit code').fill(app.now())
  await page.getByRole('button', { name: 'Verify' }).click()
  await expect(page.getByRole('button', { name: /^Signed in as/ })).toBeVisible()
  if (isKnown) expect(mailbox.count(email, 'sign-in code')).toBe(before)
}

export async function signOut({ page }: Person): Promise<void> {
  await page.getByRole('button', { name: /^Signed in as/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
}

/** The onboarding link in an email. */
export async function linkIn(mailbox: Mailbox, to: string, subject: string): Promise<string> {
  const { text } = await mailbox.find(to, subject)
  return /http:\S+\/onboarding\?token=\S+/.exec(text)?.[0] ?? ''
}
