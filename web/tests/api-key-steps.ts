import { expect, type Person } from './journey.ts'
import type { Limber } from './limber.ts'

/** Creates an API key with the passkey, calls the API with it, and revokes it. */
export async function useApiKey(person: Person, limber: Limber): Promise<void> {
  const { page } = person
  await limber.expireStepUps()
  person.expects(403, '/api/access/api-keys')
  await page.goto(`${limber.url}/worker/tech/access/api-keys`)
  await expect(page.getByText('No API keys yet')).toBeVisible()
  await person.checkScreen()
  await page.getByRole('button', { name: 'Create API key' }).first().click()
  const form = page.getByRole('dialog', { name: 'Create API key' })
  await form.getByRole('textbox', { name: 'Name' }).fill('Customer app')
  await form.getByRole('textbox', { name: 'Source' }).fill('app')
  await form.getByRole('button', { name: 'Read everything' }).click()
  await form.getByRole('checkbox', { name: 'Events: write' }).check()
  await person.checkScreen()
  await form.getByRole('button', { name: 'Create key' }).click()
  const stepUp = page.getByRole('dialog', { name: 'Confirm with your passkey' })
  await stepUp.getByRole('button', { name: 'Use passkey' }).click()

  const shown = page.getByRole('dialog', { name: 'Copy the key for Customer app' })
  const token = (await shown.locator('code').first().innerText()).trim()
  await person.checkScreen()
  const me = () => fetch(`${limber.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } })
  const reply = await me()
  expect([reply.status, reply.headers.get('ratelimit-remaining')]).toEqual([200, '599'])
  expect(await reply.json()).toMatchObject({ name: 'Customer app', source: 'app' })
  await expect(shown.getByText(/First call received from/)).toBeVisible()
  await shown.getByLabel('I saved the key in a safe place').check()
  await shown.getByRole('button', { name: 'Done' }).click()

  const row = page.getByRole('table', { name: 'API keys' }).getByRole('row', { name: /Customer app/ })
  await expect(row.getByText('Active')).toBeVisible()
  await person.checkScreen()
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click()
  await expect(row.getByText('Revoked')).toBeVisible()
  const refused = await me()
  expect([refused.status, await refused.json()]).toMatchObject([401, { code: 'key_revoked' }])
  await person.checkScreen()
}
