import { readFile } from 'node:fs/promises'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { expect, openSample, Person, test } from './journey.ts'
import { startLimber } from './limber.ts'

test('a stretcher from the account to a revoked certification', async ({ browser }) => {
  // Allows for a busy machine.
  test.setTimeout(360_000)
  const limber = await startLimber('sample')
  const clerk = await Person.open(browser)
  const { page } = clerk
  await openSample(page, limber)
  const toast = (text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text, { exact: true })
  const card = page.getByRole('region', { name: 'Add a stretcher' })

  await test.step('a stretcher is created; one who is too young is rejected', async () => {
    await page.goto(`${limber.url}/worker/managing/stretchers`)
    await expect(page.getByRole('table', { name: 'Stretchers' })).toBeVisible()
    await clerk.checkScreen()
    await card.getByLabel('First name').fill('Noemi')
    await card.getByLabel('Last name').fill('Castellanos')
    await card.getByLabel('Email').fill('Noemi.Castellanos@example.com')
    await card.getByLabel('Date of birth').fill('2020-02-02')
    clerk.expects(422, '/api/stretchers/onboard-stretcher')
    await card.getByRole('button', { name: 'Create Account' }).click()
    await expect(card.getByText('A stretcher must be at least 18 years old.')).toBeVisible()
    await card.getByLabel('Date of birth').fill('1996-02-02')
    await card.getByRole('button', { name: 'Create Account' }).click()
    await expect(card.getByText(/^Stretcher account created successfully\./)).toBeVisible()
  })

  await test.step('the stretcher gets a zone and finishes training', async () => {
    await card.getByRole('button', { name: 'Open Noemi Castellanos' }).click()
    const detail = page.getByRole('dialog', { name: 'Noemi Castellanos', exact: true })
    await expect(detail.getByText('In training')).toBeVisible()
    await clerk.checkScreen()
    await detail.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Noemi Castellanos' })
    await form.getByLabel('Zone').selectOption({ label: 'Riverside' })
    await clerk.checkScreen()
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(toast('Noemi Castellanos saved.')).toBeVisible()
    await detail.getByRole('button', { name: 'Finish training' }).click()
    await page.getByLabel('Reason').fill('Passed the practical examination')
    await page
      .getByRole('dialog', { name: /^Finish training for/ })
      .getByRole('button', { name: 'Finish training' })
      .click()
    await expect(detail.getByText('Not certified')).toBeVisible()
    await clerk.checkScreen()
  })

  let link = ''
  await test.step('a certification is issued', async () => {
    await page.getByRole('link', { name: 'Issue certification' }).click()
    await expect(page.getByRole('heading', { name: 'Add New Certification' })).toBeVisible()
    await expect(page.getByText(/^Noemi Castellanos, noemi.castellanos@example.com, stretcher$/)).toBeVisible()
    await page.getByLabel('Certification Type').selectOption({ label: 'Certified Stretch Practitioner' })
    await page.getByLabel('Name').fill('Noemi Castellanos')
    await page.getByLabel('Instructor').fill('Ines Park')
    await clerk.checkScreen()
    await page.getByRole('button', { name: 'Create' }).click()
    await expect(toast('Certification issued.')).toBeVisible()
    await page.getByLabel('Search certifications').fill('noemi')
    await expect(page.getByRole('row')).toHaveCount(2)
    await clerk.checkScreen()
    await page.getByRole('button', { name: 'View' }).click()
    const details = page.getByRole('region', { name: 'Certification Details' })
    link = (await details.getByRole('link', { name: /verify/ }).getAttribute('href')) ?? ''
    expect(link).toMatch(/\/verify\/[0-9a-z]{16}$/)
    await clerk.checkScreen()
  })

  const stranger = await Person.open(browser)
  await test.step('a visitor verifies it without signing in, and downloads the credential', async () => {
    await stranger.page.goto(link)
    await expect(stranger.page.getByRole('heading', { name: 'Certified Stretch Practitioner' })).toBeVisible()
    await expect(stranger.page.getByText('Valid', { exact: true })).toBeVisible()
    await expect(stranger.page.getByText('Noemi C.')).toBeVisible()
    await expect(stranger.page.getByText('Castellanos')).toHaveCount(0)
    await stranger.checkScreen()
    const coming = stranger.page.waitForEvent('download')
    await stranger.page.getByRole('link', { name: 'Download signed credential' }).click()
    const jwt = await readFile(await (await coming).path(), 'utf8')
    const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', limber.url))
    const { payload } = await jwtVerify(jwt, keys)
    expect(payload).toMatchObject({ id: link })
  })

  await test.step('the stretcher is certified now', async () => {
    await page.goto(`${limber.url}/worker/managing/stretchers?q=noemi`)
    await expect(page.getByRole('row', { name: /Noemi Castellanos.*Riverside.*Active.*1 valid/ })).toBeVisible()
  })

  await test.step('it is revoked with a reason, and the visitor sees it', async () => {
    await page.goto(`${limber.url}/certifications?q=noemi`)
    await page.getByRole('button', { name: 'View' }).click()
    await page.getByRole('button', { name: 'Revoke' }).click()
    const dialog = page.getByRole('dialog', { name: 'Revoke this certification?' })
    await dialog.getByLabel('Reason').fill('The examination was not signed')
    await clerk.checkScreen()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await expect(page.getByText(/The examination was not signed/)).toBeVisible()
    await stranger.page.reload()
    await expect(stranger.page.getByText('Revoked', { exact: true })).toBeVisible()
    await expect(stranger.page.getByRole('link', { name: 'Download signed credential' })).toHaveCount(0)
    await stranger.checkScreen()
    stranger.expects(404, '/api/verify/0000000000000000')
    await stranger.page.goto(`${limber.url}/verify/0000000000000000`)
    await expect(stranger.page.getByRole('heading', { name: 'Certification not found' })).toBeVisible()
    await stranger.checkScreen()
    await stranger.leave()
  })

  await test.step('a user is promoted, once', async () => {
    await page.goto(`${limber.url}/certifications?view=create`)
    await page.getByLabel('User ID').fill('2000')
    const line = (await page.getByText(/^.+, .+@example\.com$/).textContent()) ?? ''
    const email = line.split(', ')[1] ?? ''
    await page.goto(`${limber.url}/worker/managing/stretchers`)
    await card.getByText('Promote Existing User').click()
    await expect(card.getByLabel('First name')).toHaveCount(0)
    await card.getByLabel('Email').fill(email)
    await card.getByRole('button', { name: 'Promote User' }).click()
    await expect(card.getByText(/^User promoted to stretcher successfully\./)).toBeVisible()
    await card.getByLabel('Email').fill(email)
    clerk.expects(409, '/api/stretchers/promote-to-stretcher')
    await card.getByRole('button', { name: 'Promote User' }).click()
    await expect(card.getByText(/is already a stretcher\.$/)).toBeVisible()
    await clerk.checkScreen()
  })

  await test.step('types are managed; one in use cannot be deleted', async () => {
    await page.goto(`${limber.url}/certifications?view=types`)
    const row = page.getByRole('row', { name: /Certified Stretch Practitioner/ })
    await expect(row.getByRole('button', { name: 'Delete' })).toHaveCount(0)
    await row.getByRole('button', { name: 'Retire' }).click()
    await clerk.checkScreen()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Retire' }).click()
    await expect(page.getByText('“Certified Stretch Practitioner” retired.')).toBeVisible()
    await expect(row.getByText('Retired')).toBeVisible()
    await row.getByRole('button', { name: 'Edit' }).click()
    await clerk.checkScreen()
  })
  await clerk.leave()
  await limber.stop()
})
