import { openGraph } from './graph.ts'
import { expect, openSample, Person, test } from './journey.ts'
import { startLimber } from './limber.ts'

const LEADGEN = '9007199254740993001'

test('a lead from an ad form becomes a customer', async ({ browser }) => {
  const graph = await openGraph()
  const limber = await startLimber('sample', undefined, graph.settings)
  const marketer = await Person.open(browser)
  const { page } = marketer
  await openSample(page, limber)
  const toast = (text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text, { exact: true })
  const list = page.getByRole('region', { name: 'Leads', exact: true })

  await test.step("the company's leads and their funnel show", async () => {
    await page.goto(`${limber.url}/growth/conversion`)
    await expect(list.getByText('900 leads')).toBeVisible()
    await expect(page.getByText('Select a lead')).toBeVisible()
    await marketer.checkScreen()
  })

  await test.step('a submitted form appears once, even if the webhook repeats', async () => {
    graph.fill(LEADGEN, {
      full_name: 'Quinn Harlow',
      email: 'quinn.harlow@example.org',
      phone_number: '+19515550147',
      preferred_time: 'Saturday mornings',
    })
    for (let times = 0; times < 2; times += 1) expect(await graph.announce(limber.url, LEADGEN)).toBe(200)
    await expect(list.getByText('901 leads')).toBeVisible({ timeout: 30_000 })
    await list.getByRole('link', { name: /Quinn Harlow/ }).click()
    await expect(page.getByRole('heading', { name: /Quinn Harlow/, level: 2 })).toBeVisible()
    await expect(page.getByText('Saturday mornings')).toBeVisible()
    await expect(page.getByText(/waiting for \d+ min/)).toBeVisible()
  })

  await test.step('a worker replies and adds a note', async () => {
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Contacted')
    await expect(page.getByText(/^after \d+ min$/)).toBeVisible()
    await page.getByPlaceholder('Add note…').fill('Would like to begin in December.')
    await page.getByRole('button', { name: 'Add Note' }).click()
    await expect(page.getByRole('listitem').filter({ hasText: 'Would like to begin in December.' })).toBeVisible()
    await marketer.checkScreen()
  })

  await test.step('the lead becomes a customer', async () => {
    const convert = async () => {
      await page.getByRole('button', { name: 'Convert', exact: true }).click()
      const question = page.getByRole('alertdialog', { name: 'Convert Quinn Harlow to a customer?' })
      await expect(question.getByText(/creates a customer account for quinn\.harlow@example\.org/)).toBeVisible()
      await question.getByRole('button', { name: 'Convert' }).click()
    }
    await convert()
    await page
      .getByRole('region', { name: 'Messages' })
      .getByRole('status')
      .filter({ hasText: 'Quinn Harlow is now a customer.' })
      .getByRole('button', { name: 'Undo', exact: true })
      .click()
    await expect(toast('Conversion undone. Quinn Harlow is Contacted again.')).toBeVisible()
    await expect(page.getByText(/Quinn Harlow, number \d+/)).toHaveCount(0)
    await convert()
    await expect(toast('Quinn Harlow is now a customer.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Convert', exact: true })).toHaveCount(0)
    await expect(page.getByText(/Quinn Harlow, number \d+: no bookings yet/)).toBeVisible()
    await page.getByRole('button', { name: 'Analytics' }).click()
    await page.getByRole('button', { name: 'Converted 181' }).click()
    await expect(list.getByText('181 leads')).toBeVisible()
  })

  await test.step('each number of the funnel opens the leads it counts', async () => {
    const band = page.getByRole('region', { name: /^Funnel/ })
    for (const name of [/^Contacted/, /^Converted/, /now in Contacted$/, /not interested/]) {
      const number = band.getByRole('button', { name })
      const count = /\d+/.exec((await number.getAttribute('aria-label')) ?? (await number.innerText()))?.[0]
      await number.click()
      await expect(list.getByText(`${count} leads`, { exact: true })).toBeVisible()
    }
    await list.getByRole('button', { name: 'Show all' }).click()
    await expect(list.getByText('901 leads')).toBeVisible()
  })

  await test.step('the same person cannot be added again', async () => {
    await page.getByRole('button', { name: 'New Lead' }).click()
    const dialog = page.getByRole('dialog', { name: 'New Lead' })
    await dialog.getByLabel('First name').fill('Quinn')
    await dialog.getByLabel('Phone').fill('(951) 555-0147')
    marketer.expects(409, '/api/marketing/leads')
    await dialog.getByRole('button', { name: 'Add lead' }).click()
    await expect(dialog.getByText('A lead with this phone number already exists: Quinn Harlow.')).toBeVisible()
    await marketer.checkScreen()
    await dialog.getByRole('button', { name: 'Open Quinn Harlow' }).click()
    await expect(dialog).toHaveCount(0)
  })

  await test.step('the figures include it', async () => {
    await page.getByRole('button', { name: 'Analytics', exact: true }).click()
    const panel = page.getByRole('region', { name: 'Lead Analytics' })
    await expect(panel.getByText('Conversion rate')).toBeVisible()
    await panel.getByRole('button', { name: 'Table' }).click()
    await expect(panel.getByRole('row')).toHaveCount(31)
    await marketer.checkScreen()
    await page.setViewportSize({ width: 390, height: 844 })
    await marketer.checkScreen()
  })

  await marketer.leave()
  await limber.stop()
  await graph.close()
})
