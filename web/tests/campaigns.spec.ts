import { onboard, signIn } from './access-steps.ts'
import { startAdGraph } from './ad-graph.ts'
import { expect, Person, test } from './journey.ts'
import { startLimber } from './limber.ts'
import { openMailbox } from './mailbox.ts'
import { Authenticator } from './proofs.ts'

// One red pixel.
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
)

test('creates a campaign and publishes it to Meta exactly once, whatever fails on the way', async ({ browser }) => {
  const mailbox = await openMailbox()
  const graph = await startAdGraph()
  const limber = await startLimber('own', mailbox, graph.env)
  const owner = await Person.open(browser)
  const { page } = owner
  const card = page.getByRole('article', { name: 'Winter stretch' })

  await test.step('the Owner sees an empty page', async () => {
    await Authenticator.attach(page)
    const { app } = await onboard(owner, limber.link)
    await signIn(owner, 'owner@example.com', { app, limber, mailbox })
    await page.goto(`${limber.url}/growth/campaigns`)
    await expect(page.getByText('No campaigns yet')).toBeVisible()
    await owner.checkScreen()
  })

  await test.step('a campaign is drafted, corrected and created', async () => {
    const step = ['busy', 'drop', 'cut']
    await graph.tell({ search: step, campaigns: step, adsets: step, leadgen_forms: step, adimages: step })
    await graph.tell({ adcreatives: step, ads: ['refuse', 'cut'] })
    await page.getByRole('button', { name: '+ New Campaign' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create Campaign' })
    await dialog.getByLabel('Name', { exact: true }).fill('Winter stretch')
    const goOn = () => dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByLabel('Location type').selectOption('Cities')
    await dialog.getByLabel('Minimum age').fill('12')
    await goOn()
    await expect(dialog.getByText('Invalid age range (13-65)')).toBeVisible()
    await dialog.getByLabel('Minimum age').fill('25')
    await goOn()
    await expect(dialog.getByText('Enter at least one city')).toBeVisible()
    await dialog.getByRole('textbox', { name: 'Cities' }).fill('Riverside')
    await goOn()
    await dialog.getByLabel('Add media').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: picture })
    await expect(dialog.getByRole('img', { name: 'a.png', exact: true })).toBeVisible()
    await expect(dialog.getByRole('complementary').getByRole('img', { name: 'Ad: a.png' })).toBeVisible()
    await owner.checkScreen()
    await goOn()
    await dialog.getByLabel('Start date').fill('2099-01-10')
    await dialog.getByLabel('Daily budget').fill('25.50')
    await goOn()
    await expect(dialog.getByText('$25.50 per day')).toBeVisible()
    await owner.checkScreen()
    await dialog.getByRole('button', { name: 'Create Campaign' }).click()
    await expect(page.getByText('Campaign created successfully')).toBeVisible()
  })

  await test.step('every step fails once, and one of each is created', async () => {
    const again = page.getByRole('button', { name: 'Try again: Winter stretch' })
    const there = card.getByText(/^On Meta, ID \d+$/)
    await expect(async () => {
      if (await again.isVisible()) await again.click({ timeout: 2_000 }).catch(() => {})
      await limber.retryNow()
      await expect(there).toBeVisible({ timeout: 1_500 })
    }).toPass({ timeout: 240_000 })
    const { counts, isOpen } = await graph.tell()
    expect(isOpen).toBe(false)
    expect(counts).toEqual({ campaigns: 1, adsets: 1, leadgen_forms: 1, adcreatives: 1, ads: 1 })
    await owner.checkScreen()
  })

  await test.step('it is scheduled for a future start, and its results open', async () => {
    await card.getByLabel('Status of Winter stretch').selectOption('Scheduled')
    await expect(card.getByText('Scheduled', { exact: true }).first()).toBeVisible()
    await page.getByRole('link', { name: 'Winter stretch' }).click()
    const detail = page.getByRole('dialog', { name: 'Winter stretch' })
    await expect(detail.getByText('People aged 25 to 65 in Riverside, US.')).toBeVisible()
    await owner.checkScreen()
  })

  await owner.leave()
  await limber.stop()
  await graph.stop()
  await mailbox.close()
})
