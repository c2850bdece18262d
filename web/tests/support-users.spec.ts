import { comeIn, expect, Person, test } from './journey.ts'
import { startLimber } from './limber.ts'

test('a customer is found, read, noted, credited and blocked', async ({ browser }) => {
  // Room for a machine that is busy with other things.
  test.setTimeout(360_000)
  const sample = await startLimber('sample')
  const clerk = await Person.arrive(browser)
  const { page } = clerk
  await comeIn(page, sample)
  const toast = (text: string | RegExp) => page.getByRole('region', { name: 'Messages' }).getByText(text)
  const list = page.getByRole('region', { name: 'Users' })
  const tab = (name: string | RegExp) => page.getByRole('tab', { name })
  const figure = (label: string) => page.getByRole('term').filter({ hasText: label }).locator('+ dd')

  const who = await test.step('a customer with tickets is found by part of the e-mail', async () => {
    await page.goto(`${sample.url}/support/tickets`)
    const customer = page.getByRole('region', { name: 'Customer' }).getByRole('link').first()
    await page.getByRole('region', { name: 'Tickets' }).getByRole('link').first().click()
    const name = (await customer.textContent()) ?? ''
    await customer.click()
    await expect(page.getByRole('heading', { name: new RegExp(name), level: 2 })).toBeVisible()
    const email = (await figure('Email').first().textContent()) ?? ''
    await page.goto(`${sample.url}/support/users`)
    await expect(page.getByText('Select a user to view details')).toBeVisible()
    await clerk.looksRight()
    await page.getByPlaceholder('Search users...').fill(email.slice(0, email.indexOf('@') + 3))
    await list.getByRole('link', { name: email }).click()
    return { name, email }
  })

  await test.step('everything about them is read', async () => {
    await expect(page.getByRole('heading', { name: new RegExp(who.name), level: 2 })).toBeVisible()
    await clerk.looksRight()
    for (const name of [/^Tickets/, 'Rewards', 'Transactions', 'Bookings', 'Analytics']) {
      await tab(name).click()
      await expect(page.getByRole('tabpanel', { name })).toBeVisible()
      await expect(page.getByRole('tabpanel').getByRole('status', { name: 'Loading' })).toHaveCount(0)
      await clerk.looksRight()
    }
    await tab('Overview').click()
  })

  await test.step('a note is left', async () => {
    await page.getByRole('button', { name: 'Notes' }).click()
    const notes = page.getByRole('dialog', { name: 'User Notes' })
    await notes.getByPlaceholder('Add a new note...').fill('Prefers mornings.')
    await notes.getByRole('button', { name: 'Add Note' }).click()
    await expect(notes.getByRole('listitem').filter({ hasText: 'Prefers mornings.' })).toContainText('By: ')
    await clerk.looksRight()
    await notes.getByRole('button', { name: 'Close' }).click()
    await expect(notes).toHaveCount(0)
  })

  await test.step('two credits are given, and the ledger says why', async () => {
    const before = Number(await figure('Credits').textContent())
    await page.getByRole('button', { name: 'Account actions' }).click()
    await clerk.looksRight()
    await page.getByRole('button', { name: 'Adjust credits' }).click()
    const form = page.getByRole('dialog', { name: /^Adjust the credits/ })
    await form.getByLabel('Credits').fill('2')
    await form.getByLabel('Reason').fill('The session was cut short')
    await clerk.looksRight()
    await form.getByRole('button', { name: 'Adjust' }).click()
    await expect(toast(`${who.name} has ${before + 2} credits now.`)).toBeVisible()
    await page.getByRole('dialog', { name: 'Account actions' }).getByRole('button', { name: 'Close' }).click()
    await expect(figure('Credits')).toHaveText(String(before + 2))
    await tab('Rewards').click()
    const ledger = page.getByRole('table', { name: 'Credit History' })
    await expect(ledger.getByRole('row', { name: /The session was cut short.*\+2/ })).toBeVisible()
  })

  await test.step('the account is blocked, and found among the blocked ones', async () => {
    await page.getByRole('button', { name: 'Account actions' }).click()
    await page.getByRole('button', { name: 'Block' }).click()
    const form = page.getByRole('dialog', { name: `Block ${who.name}?` })
    await form.getByLabel('Reason').fill('Chargebacks')
    await clerk.looksRight()
    await form.getByRole('button', { name: 'Block' }).click()
    await expect(toast(`${who.name} is blocked.`)).toBeVisible()
    await page.getByRole('dialog', { name: 'Account actions' }).getByRole('button', { name: 'Close' }).click()
    await expect(page.getByText('Blocked: Chargebacks')).toBeVisible()
    await page.getByLabel('Status').selectOption({ label: 'Blocked' })
    await expect(list.getByRole('link', { name: who.email })).toContainText('Blocked')
    await clerk.looksRight()
  })

  await test.step('the e-mail log keeps its secrets, and suggestions keep their reviews', async () => {
    await page.goto(`${sample.url}/support/email-logs`)
    await expect(page.getByText(/^Page 1 of \d+ \(Total: \d+\)$/)).toBeVisible()
    await expect(page.getByText('[Encrypted Content]')).toHaveCount(10)
    await clerk.looksRight()
    await page.goto(`${sample.url}/support/suggestions?status=implemented`)
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'View Details' }).click()
    const history = page.getByRole('region', { name: 'Status history' })
    await expect(history.getByRole('listitem')).toHaveCount(2)
    await clerk.looksRight()
  })
  await clerk.leave()
  await sample.stop()
})
