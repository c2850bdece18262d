import type { Page } from '@playwright/test'
import { expect, openSample, Person, test } from './journey.ts'
import { type Limber, startLimber } from './limber.ts'
import { startFakeTwilio, type Twilio } from './twilio.ts'

const STRANGER = '+19515557700'

let twilio: Twilio
let sample: Limber
let session: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>

test.beforeAll(async ({ browser }) => {
  twilio = await startFakeTwilio()
  sample = await startLimber('sample', undefined, twilio.settings)
  // Sign-in is set up once; both journeys share the session.
  const visitor = await Person.open(browser)
  await openSample(visitor.page, sample)
  session = await visitor.page.context().storageState()
  await visitor.leave()
})
test.afterAll(async () => {
  await sample.stop()
  await twilio.close()
})

/** In the format of the browser's date and time picker. */
const nextWeek = () => `${new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)}T09:00`

const toastIn = (page: Page) => (text: string | RegExp) =>
  page.getByRole('region', { name: 'Messages' }).getByText(text)

test('finds a customer, reads the record, adds a note and credits, and blocks the account', async ({ browser }) => {
  const clerk = await Person.open(browser, { storageState: session })
  const { page } = clerk
  const toast = toastIn(page)
  const list = page.getByRole('region', { name: 'Users' })
  const tab = (name: string | RegExp) => page.getByRole('tab', { name })
  const figure = (label: string) => page.getByRole('term').filter({ hasText: label }).locator('+ dd')

  const who = await test.step('finds a customer with tickets by part of the email', async () => {
    await page.goto(`${sample.url}/support/tickets`)
    const customer = page.getByRole('region', { name: 'Customer' }).getByRole('link').first()
    await page.getByRole('region', { name: 'Tickets' }).getByRole('link').first().click()
    const name = (await customer.textContent()) ?? ''
    await customer.click()
    await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
    const email = (await figure('Email').first().textContent()) ?? ''
    await page.goto(`${sample.url}/support/users`)
    await expect(page.getByText('Select a user to view details')).toBeVisible()
    await clerk.checkScreen()
    await page.getByPlaceholder('Search users...').fill(email.slice(0, email.indexOf('@') + 3))
    await list.getByRole('link', { name: email }).click()
    return { name, email }
  })

  await test.step('shows every tab of the record', async () => {
    await expect(page.getByRole('heading', { name: who.name, level: 1 })).toBeVisible()
    await clerk.checkScreen()
    for (const name of [/^Tickets/, 'Rewards', 'Transactions', 'Bookings', 'Analytics']) {
      await tab(name).click()
      await expect(page.getByRole('tabpanel', { name })).toBeVisible()
      await expect(page.getByRole('tabpanel').getByRole('status', { name: 'Loading' })).toHaveCount(0)
      await clerk.checkScreen()
    }
    await tab('Overview').click()
  })

  await test.step('adds a note', async () => {
    await page.getByRole('button', { name: 'Note', exact: true }).click()
    const notes = page.getByRole('dialog', { name: 'User Notes' })
    await notes.getByPlaceholder('Add a new note...').fill('Prefers mornings.')
    await notes.getByRole('button', { name: 'Add Note' }).click()
    await expect(notes.getByRole('listitem').filter({ hasText: 'Prefers mornings.' })).toContainText('By: ')
    await clerk.checkScreen()
    await notes.getByRole('button', { name: 'Close' }).click()
    await expect(notes).toHaveCount(0)
  })

  await test.step('adds two credits, with the reason in the ledger', async () => {
    const before = Number(await figure('Credits').textContent())
    await page.getByRole('button', { name: 'Account actions' }).click()
    await expect(page.getByRole('dialog', { name: 'Account actions' })).toBeVisible()
    await clerk.checkScreen()
    await page.getByRole('button', { name: 'Adjust credits' }).click()
    const form = page.getByRole('dialog', { name: /^Adjust credits/ })
    await form.getByLabel('Credits').fill('2')
    await form.getByLabel('Reason').fill('The session was cut short')
    await clerk.checkScreen()
    await form.getByRole('button', { name: 'Adjust' }).click()
    await expect(toast(`${who.name} now has ${before + 2} credits.`)).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(figure('Credits')).toHaveText(String(before + 2))
    await tab('Rewards').click()
    const ledger = page.getByRole('table', { name: 'Credit History' })
    await expect(ledger.getByRole('row', { name: /The session was cut short.*\+2/ })).toBeVisible()
  })

  await test.step('blocks the account and finds it under Blocked', async () => {
    await page.getByRole('button', { name: 'Account actions' }).click()
    await page.getByRole('button', { name: 'Block' }).click()
    const form = page.getByRole('dialog', { name: `Block ${who.name}?` })
    await form.getByLabel('Reason').fill('Chargebacks')
    await clerk.checkScreen()
    await form.getByRole('button', { name: 'Block' }).click()
    await expect(toast(`${who.name} is blocked.`)).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(page.getByText(/^Blocked by .+: Chargebacks$/)).toBeVisible()
    await page.getByRole('button', { name: 'User Overview' }).click()
    await page.getByLabel('Status').selectOption({ label: 'Blocked' })
    await expect(list.getByRole('link', { name: who.email })).toContainText('Blocked')
    await clerk.checkScreen()
  })

  await test.step('the email log stays encrypted, and suggestions keep their reviews', async () => {
    await page.goto(`${sample.url}/support/email-logs`)
    await expect(page.getByText(/^Page 1 of [\d,]+ \(Total: [\d,]+\)$/)).toBeVisible()
    await expect(page.getByText('[Encrypted Content]')).toHaveCount(10)
    await clerk.checkScreen()
    await page.goto(`${sample.url}/support/suggestions?status=implemented`)
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'View Details' }).click()
    const history = page.getByRole('region', { name: 'Status history' })
    await expect(history.getByRole('listitem')).toHaveCount(2)
    await clerk.checkScreen()
  })
  await clerk.leave()
})

test('sends text messages and notifications, and undoes one', async ({ browser }) => {
  const clerk = await Person.open(browser, { storageState: session })
  const { page } = clerk
  const toast = toastIn(page)

  await test.step('receives a text message, and the reply is delivered', async () => {
    await page.goto(`${sample.url}/support/texts`)
    const thread = page.getByRole('list', { name: 'Messages' })
    await expect(thread).toBeVisible()
    await clerk.checkScreen()
    expect(await twilio.write(sample.url, STRANGER, 'Are you open on <b>Friday</b>?')).toBe(200)
    const question = thread.getByRole('listitem').filter({ hasText: 'Are you open on <b>Friday</b>?' })
    await question.getByRole('button', { name: '(951) 555-7700' }).click()
    await expect(page.getByRole('region', { name: /^Conversation with/ })).toBeVisible()
    await page.getByRole('textbox', { name: 'Text message' }).fill('Yes, from six.')
    await page.keyboard.press('Control+Enter')
    const answer = thread.getByRole('listitem').filter({ hasText: 'Yes, from six.' })
    await expect(answer.getByText('Delivered')).toBeVisible()
    expect(twilio.taken).toContainEqual({ to: STRANGER, body: 'Yes, from six.' })
    await clerk.checkScreen()
  })

  const table = page.getByRole('table', { name: 'Notifications, newest first' })
  const row = (title: string) => table.getByRole('row').filter({ hasText: title })
  const dialog = page.getByRole('dialog', { name: 'Send Notification' })
  let people = 0
  const compose = async (channel: string, title: string) => {
    await page.getByRole('button', { name: 'Send Notification' }).click()
    await dialog.getByLabel('Channel').selectOption({ label: channel })
    await dialog.getByLabel('Audience').selectOption({ label: 'Stretchers' })
    await dialog.getByLabel('Title').fill(title)
    await dialog.getByLabel('Message').fill('Hello {first_name}, the shirts are here.')
    await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText('Hello Alex, the shirts are here.')
    const reach = dialog.getByText(/^This will reach \d{1,2} people$/)
    await expect(reach).toBeVisible()
    people = Number(/\d+/.exec((await reach.textContent()) ?? '')?.[0])
  }

  await test.step('schedules a notification and cancels it', async () => {
    await page.goto(`${sample.url}/support/notifications`)
    await expect(table).toBeVisible()
    await clerk.checkScreen()
    await compose('Email', 'Shirts for next month')
    await clerk.checkScreen()
    await dialog.getByLabel('When').selectOption({ label: 'Later' })
    await dialog.getByRole('button', { name: /^Schedule to/ }).click()
    await expect(dialog.getByText('Day and time is required.')).toBeVisible()
    await dialog.getByLabel('Day and time').fill(nextWeek())
    await clerk.checkScreen()
    await dialog.getByRole('button', { name: `Schedule to ${people} people` }).click()
    await expect(toast(/^Scheduled for .+, to \d+ people\.$/)).toBeVisible()
    await expect(row('Shirts for next month')).toContainText('Scheduled')
    await row('Shirts for next month').click()
    await page.getByRole('button', { name: 'Cancel notification' }).click()
    await expect(toast('Canceled. No one will receive it.')).toBeVisible()
    await expect(page.getByText('Canceled on')).toBeVisible()
    await clerk.checkScreen()
    await page.getByRole('button', { name: 'Close' }).click()
  })

  await test.step('undoes a notification within ten seconds', async () => {
    await compose('Text message', 'Wrong shirts')
    await dialog.getByRole('button', { name: `Send to ${people} people` }).click()
    await expect(toast(`Sending to ${people} people in 10 seconds.`)).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(toast('Undone. No one received it.')).toBeVisible()
    await expect(row('Wrong shirts')).toContainText('Undone')
  })

  await test.step('sends a notification and shows progress and deliveries', async () => {
    twilio.hold()
    await compose('Text message', 'Right shirts')
    await dialog.getByRole('button', { name: `Send to ${people} people` }).click()
    await row('Right shirts').click()
    await expect(page.getByRole('progressbar', { name: 'Sending' })).toBeVisible({ timeout: 60_000 })
    await expect(page.getByText(`0 of ${people}`)).toBeVisible()
    await clerk.checkScreen()
    await twilio.release()
    const figure = (label: string) => page.getByRole('term').filter({ hasText: label }).locator('+ dd')
    await expect(figure('Delivered')).toHaveText(String(people), { timeout: 90_000 })
    await expect(figure('Failed')).toHaveText('0')
    await expect(page.getByRole('progressbar')).toHaveCount(0)
    await page.setViewportSize({ width: 390, height: 844 })
    await clerk.checkScreen()
    const got = twilio.taken.filter(({ body }) => body.startsWith('Right shirts'))
    expect(new Set(got.map(({ to }) => to)).size).toBe(people)
    expect(got).toHaveLength(people)
    expect(twilio.taken.filter(({ body }) => body.startsWith('Wrong shirts'))).toEqual([])
  })
  await clerk.leave()
})
