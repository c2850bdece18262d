import { expect, openSample, Person, test } from './journey.ts'
import { startLimber } from './limber.ts'
import { openMailbox } from './mailbox.ts'

test('shows failures, and sends a failed email again', async ({ browser }) => {
  const mailbox = await openMailbox()
  const limber = await startLimber('sample', mailbox)
  const keeper = await Person.open(browser)
  const { page } = keeper
  await openSample(page, limber)

  await test.step('Retry sends a failed email', async () => {
    await page.goto(`${limber.url}/worker/tech/integrations?status=dead`)
    await keeper.checkScreen()
    await page.getByRole('button', { name: 'Invoice for Riverside Climbing' }).click()
    const drawer = page.getByRole('dialog', { name: 'Invoice for Riverside Climbing' })
    await expect(drawer.getByText('a•••@riverside-climbing.example', { exact: true })).toBeVisible()
    await keeper.checkScreen()
    await drawer.getByRole('button', { name: 'Retry' }).click()
    await mailbox.find('accounts@riverside-climbing.example', 'Your invoice for October')
    await expect(drawer.locator('[data-dot]').filter({ hasText: /^Sent$/ })).toBeVisible()
    await expect(drawer.getByRole('button', { name: 'Retry' })).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Invoice for Riverside Climbing' })).toHaveCount(0)
    expect(mailbox.count('accounts@riverside-climbing.example', 'Your invoice')).toBe(1)
  })

  await test.step('the system status updates, including the mail server', async () => {
    await page.goto(`${limber.url}/worker/tech/health`)
    await page.getByRole('button', { name: 'Check now' }).first().click()
    await expect(page.getByRole('region', { name: 'Email' }).getByText('The mail server is responding.')).toBeVisible()
    await keeper.checkScreen()
  })

  await test.step('a group of errors is marked as handled', async () => {
    await page.goto(`${limber.url}/worker/tech/errors?class=5xx&state=open`)
    await keeper.checkScreen()
    // The failed calls of the week differ every day.
    const newest = page.getByRole('button', { name: /^5\d\d [A-Z]+ \/api\// }).first()
    await newest.click()
    const drawer = page.getByRole('dialog', { name: /^5\d\d [A-Z]+ \/api\// })
    await expect(drawer.getByRole('listitem').first()).toBeVisible()
    await keeper.checkScreen()
    await drawer.getByRole('button', { name: 'Mark as handled' }).click()
    const question = page.getByRole('dialog', { name: 'Mark as handled?' })
    await question.getByLabel('Note').fill('Two bookings of one slot: the slot is locked now.')
    await question.getByRole('button', { name: 'Mark as handled' }).click()
    await expect(drawer.getByText(/Handled by Priya Raman/)).toBeVisible()
  })
  await keeper.leave()
  await limber.stop()
  await mailbox.close()
})
