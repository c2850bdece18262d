import { linkIn, onboard, signIn, signOut } from './access-steps.ts'
import { useApiKey } from './api-key-steps.ts'
import { expect, Person, test } from './journey.ts'
import { Authenticator } from './proofs.ts'

const OWNER = 'owner@example.com'
const DANA = 'dana.whitfield@example.com'

test('onboards the first Owner, invites a colleague and recovers access', async ({
  browser,
  own: { limber, mailbox },
}) => {
  const owner = await Person.open(browser)
  const device = await Authenticator.attach(owner.page)

  const { app } = await test.step('the first Owner onboards', () => onboard(owner, limber.link))
  let recoveryCodes: string[] = []

  await test.step('and signs in, then sees Today with the setup guide', async () => {
    await expect(owner.page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await owner.checkScreen()
    await signIn(owner, OWNER, { app, limber, mailbox })
    await expect(owner.page).toHaveURL(/\/worker\/managing\/today$/)
    await expect(owner.page.getByRole('heading', { name: 'Set up your company' })).toBeVisible()
    await owner.page.goto(`${limber.url}/dashboard/worker-profile`)
    await expect(owner.page.getByRole('heading', { name: 'My profile' })).toBeVisible()
    await expect(owner.page.getByRole('list', { name: 'Sessions' }).getByText('Current')).toBeVisible()
    await owner.checkScreen()
  })

  await test.step('new recovery codes require step-up and are shown once', async () => {
    owner.expects(403, '/api/profile/recovery-codes')
    await limber.expireStepUps()
    await owner.page.getByRole('button', { name: 'Generate new codes' }).click()
    await owner.page.getByRole('alertdialog').getByRole('button', { name: 'Generate new codes' }).click()
    await expect(owner.page.getByRole('dialog', { name: 'Confirm with your passkey' })).toBeVisible()
    await owner.checkScreen()
    await owner.page.getByRole('button', { name: 'Use passkey' }).click()
    const codes = owner.page.getByRole('dialog', { name: 'Your new recovery codes' })
    await expect(codes.locator('code')).toHaveCount(10)
    recoveryCodes = await codes.locator('code').allInnerTexts()
    await owner.checkScreen()
    await codes.getByLabel('I saved these codes').check()
    await codes.getByRole('button', { name: 'Done' }).click()
  })

  await test.step('the same browser needs no device code', async () => {
    await signOut(owner)
    await signIn(owner, OWNER, { app, limber, mailbox, isKnown: true })
  })

  await test.step('a new browser needs the emailed code', async () => {
    const elsewhere = await Person.open(browser)
    const phone = await Authenticator.attach(elsewhere.page)
    await phone.takeOver(device)
    await elsewhere.page.goto(`${limber.url}/dashboard/worker-profile`)
    await signIn(elsewhere, OWNER, { app, limber, mailbox })
    await expect(elsewhere.page).toHaveURL(/\/dashboard\/worker-profile$/)
    await expect(elsewhere.page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(2)
    await device.takeOver(phone)
    await elsewhere.leave()
  })

  const { page } = owner
  await test.step('a program gets a key, uses it, and is refused once it is revoked', () => useApiKey(owner, limber))

  await test.step('inviting a colleague requires step-up', async () => {
    owner.expects(403, '/api/access/workers/invite')
    await limber.expireStepUps()
    await page.goto(`${limber.url}/worker/tech/access`)
    await page.getByRole('button', { name: 'Invite worker' }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite a worker' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Dana Whitfield')
    await dialog.getByRole('textbox', { name: 'Email' }).fill(DANA)
    await dialog.getByLabel('Role').selectOption('Support Lead')
    await expect(dialog.getByText('11 of 31 permissions')).toBeVisible()
    await owner.checkScreen()
    await dialog.getByRole('button', { name: 'Send invitation' }).click()
    const stepUp = page.getByRole('dialog', { name: 'Confirm with your passkey' })
    await stepUp.getByRole('button', { name: 'Use passkey' }).click()
    await expect(page.getByText(`An onboarding link is on its way to ${DANA}.`)).toBeVisible()
    await expect(page.getByRole('heading', { name: /Dana Whitfield/ })).toBeVisible()
    await owner.checkScreen()
  })

  const dana = await Person.open(browser)
  await Authenticator.attach(dana.page)
  const danasApp = await test.step('the colleague onboards, signs in and opens the Analytics tab', async () => {
    const { app: hers } = await onboard(dana, await linkIn(mailbox, DANA, 'Set up your Limber account'))
    await signIn(dana, DANA, { app: hers, limber, mailbox })
    await dana.page.goto(`${limber.url}/analytics`)
    await expect(dana.page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
      'Analytics',
      'Worker',
      'Support',
    ])
    return hers
  })

  await test.step('removing a permission ends the session', async () => {
    // Requests of the open page may be refused at this moment.
    for (const path of ['/api/analytics/dashboard', '/api/analytics/events']) dana.expects(401, path)
    await page.getByLabel('See the Analytics tab and its dashboard').uncheck()
    await page.getByRole('button', { name: 'Save permissions' }).click()
    await expect(page.getByText('Permissions saved.')).toBeVisible()
    await expect(dana.page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await signIn(dana, DANA, { app: danasApp, limber, mailbox, isKnown: true })
    await expect(dana.page.getByRole('heading', { name: 'You do not have access to this section' })).toBeVisible()
    await expect(dana.page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
      'Worker',
      'Support',
    ])
    await dana.checkScreen()
  })

  await test.step('the audit log shows the change, and its chain is intact', async () => {
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByLabel('Action', { exact: true }).selectOption('permissions_changed')
    await page
      .getByRole('button', { name: /changed the permissions of worker/ })
      .first()
      .click()
    const entry = page.getByRole('dialog', { name: /changed the permissions of worker/ })
    await expect(entry.getByText('See the Analytics tab and its dashboard (1)')).toBeVisible()
    await owner.checkScreen()
    await entry.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Verify chain' }).click()
    await expect(page.getByText(/^The chain is intact/)).toBeVisible()
    await owner.checkScreen()
  })

  await test.step('a worker without a device asks, and a colleague approves', async () => {
    await signOut(dana)
    await dana.page.getByRole('link', { name: 'Recover access' }).click()
    await dana.page.getByLabel('Email').fill(DANA)
    await dana.page.getByRole('button', { name: 'Continue' }).click()
    await dana.checkScreen()
    await dana.page.getByRole('button', { name: 'Ask a colleague to approve' }).click()
    await expect(dana.page.getByText(/the people who manage access have been notified/)).toBeVisible()
    await page.getByRole('link', { name: /^Recoveries/ }).click()
    await owner.checkScreen()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()
    await expect(page.getByText('No open requests')).toBeVisible()
    const link = await linkIn(mailbox, DANA, 'Recover your Limber access')
    const { app: newApp } = await onboard(dana, link)
    await signIn(dana, DANA, { app: newApp, limber, mailbox })
    await dana.leave()
  })

  await test.step('a recovery code works without a colleague', async () => {
    await signOut(owner)
    await page.getByRole('link', { name: 'Recover access' }).click()
    await page.getByLabel('Email').fill(OWNER)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
    await page.getByRole('button', { name: 'Use recovery code' }).click()
    await expect(page.getByRole('heading', { name: 'Check your inbox' })).toBeVisible()
    const { app: newApp } = await onboard(owner, await linkIn(mailbox, OWNER, 'Recover your Limber access'))
    await signIn(owner, OWNER, { app: newApp, limber, mailbox })
    await owner.leave()
  })
})

test('an invalid link and wrong codes are rejected', async ({ browser, own: { limber } }) => {
  const stranger = await Person.open(browser)
  const { page } = stranger
  for (const path of ['/api/onboarding/verify-credentials', '/api/auth/verify-device-auth']) stranger.expects(401, path)
  stranger.expects(404, '/api/auth/sample-door')
  await page.goto(`${limber.url}/onboarding?token=made-up`)
  await expect(page.getByRole('alert')).toHaveText('Invalid onboarding link. Please request a new one.')
  expect(page.url()).toBe(`${limber.url}/onboarding`)
  await page.goto(`${limber.url}/sample-door?key=a-key-that-nobody-ever-made`)
  await expect(page.getByRole('alert')).toContainText('only works for the sample company')
  await stranger.checkScreen()
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByRole('button', { name: 'Continue' }).click()
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await page.getByLabel('6-digit code').fill('000000')
    await page.getByRole('button', { name: 'Verify' }).click()
    if (attempt < 5) await expect(page.getByRole('alert')).toContainText("Couldn't sign you in.")
    if (attempt === 1) await stranger.checkScreen()
  }
  await expect(page.getByText(/ended after five failed attempts/)).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue('nobody@example.com')
  await stranger.leave()
})
