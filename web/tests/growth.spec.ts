import { unsubscribe } from '@limber/contract/support/notifications/notification.ts'
import type { Page } from '@playwright/test'
import { expect, openSample, Person, test } from './journey.ts'
import { type Limber, startLimber } from './limber.ts'
import { type Mailbox, openMailbox } from './mailbox.ts'

// Rendering without a GPU on a busy machine.
const PATIENCE = { timeout: 60_000 }

let mailbox: Mailbox
let limber: Limber
let planner: Person

test.beforeAll(async ({ browser }) => {
  mailbox = await openMailbox()
  limber = await startLimber('sample', mailbox)
  planner = await Person.open(browser)
  await openSample(planner.page, limber)
})
test.afterAll(async () => {
  await planner.leave()
  await limber.stop()
  await mailbox.close()
})

test('a partner gets an email, unsubscribes with one click, and gets no more', async () => {
  const clerk = planner
  const { page } = clerk
  await page.goto(`${limber.url}/growth/business`)
  const contacted = page.getByRole('table', { name: 'Contacted' })
  const dialog = page.getByRole('dialog', { name: 'Send Outreach Email' })
  const toast = (text: RegExp) => page.getByRole('region', { name: 'Messages' }).getByText(text)
  const write = async (subject: string) => {
    await contacted.getByRole('button', { name: 'Email Cajon Rail Works' }).click()
    await dialog.getByLabel('Subject').fill(subject)
    await dialog.getByRole('button', { name: 'Send' }).click()
  }
  const address = 'wellness@cajon-rail.example.com'

  await test.step('the email arrives, and the contact is counted', async () => {
    await expect(contacted.getByRole('row', { name: /Cajon Rail Works.* 1 / })).toBeVisible()
    await clerk.checkScreen()
    await write('A pilot at the rail works')
    await expect(toast(/Email sent to 1 person/)).toBeVisible()
    await expect(contacted.getByRole('row', { name: /Cajon Rail Works.* 2 / })).toBeVisible()
  })

  const mail = await mailbox.find(address, 'A pilot at the rail works')
  await test.step('one click unsubscribes', async () => {
    expect(mail.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
    const link = /<(http[^>]+)>/.exec(mail.header('List-Unsubscribe'))?.[1] ?? ''
    expect(link).toContain(unsubscribe.path.replace(':token', ''))
    const left = await fetch(link, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(left.status).toBe(200)
  })

  await test.step('the next email is not sent, and the form stays open', async () => {
    clerk.expects(422, '/api/marketing/partner/send-email')
    await write('Once more')
    await expect(dialog.getByText(/has opted out/)).toBeVisible()
    await expect(dialog.getByLabel('Subject')).toHaveValue('Once more')
    await clerk.checkScreen()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(mailbox.count(address, 'Once more')).toBe(0)
  })
})

interface Places {
  zones: { name: string; geometry: { coordinates: [number, number][][] } }[]
  outliers: { city: string; lat: number; lng: number }[]
}

const readPlaces = async (page: Page) =>
  (await (await page.request.get(`${limber.url}/api/marketing/zones`)).json()) as Places

/** The center of a zone's bounding box. */
function middleOf({ zones }: Places, wanted: string) {
  const ring = zones.find(({ name }) => name === wanted)?.geometry.coordinates[0] ?? []
  const middle = (side: 0 | 1) => {
    const values = ring.map((corner) => corner[side])
    return (Math.min(...values) + Math.max(...values)) / 2
  }
  return { lat: middle(1), lng: middle(0) }
}

/** Opens the map centered on a location and returns its point on the screen. */
async function centreOn(page: Page, { lat, lng }: { lat: number; lng: number }) {
  await page.goto(`${limber.url}/growth/heatmap?view=${lat},${lng},10`)
  const box = await page.getByRole('region', { name: 'Map', exact: true }).locator('canvas').boundingBox(PATIENCE)
  if (!box) throw new Error('The map has no size')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

const viewOf = (page: Page, part: 0 | 2) =>
  Number(new URL(page.url()).searchParams.get('view')?.replaceAll('"', '').split(',')[part] ?? Number.NaN)
const latitudeOf = (page: Page) => viewOf(page, 0)
const zoomOf = (page: Page) => viewOf(page, 2)

/** Waits until a circle is drawn; before that a click hits the land. */
async function openCircle(page: Page, { city, ...at }: Places['outliers'][number]) {
  const { x, y } = await centreOn(page, at)
  const popup = page.getByRole('dialog', { name: city })
  await expect(async () => {
    await page.mouse.click(x, y)
    await expect(popup).toBeVisible({ timeout: 1000 })
  }).toPass(PATIENCE)
  return popup
}

test('from the map to a city task', async () => {
  const { page } = planner
  await page.goto(`${limber.url}/growth/heatmap`)
  const places = await readPlaces(page)
  const drawer = page.getByRole('complementary', { name: 'Riverside' })

  await test.step('hovering a zone shows its name, a click selects it, and the zoom stops at 12', async () => {
    const { x, y } = await centreOn(page, middleOf(places, 'Riverside'))
    await expect(async () => {
      await page.mouse.move(x - 20, y)
      await page.mouse.move(x, y)
      await expect(page.getByRole('tooltip')).toContainText(/Riverside\d[\d,]* users/, { timeout: 1000 })
    }).toPass(PATIENCE)
    await page.mouse.click(x, y)
    await expect(page).toHaveURL(/zone=\d+/)
    await expect(drawer).toBeVisible()
    // Zoom 11 of this map library is zoom 12 elsewhere.
    await expect.poll(() => zoomOf(page), PATIENCE).not.toBe(10)
    expect(zoomOf(page)).toBeLessThanOrEqual(11)
    await planner.checkScreen()
    const near = zoomOf(page)
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await expect.poll(() => zoomOf(page), PATIENCE).toBeLessThan(near)
    await page.mouse.click(x, y)
    await expect.poll(() => zoomOf(page), PATIENCE).toBe(near)
  })

  await test.step('range and metric are selected, and the drawer shows the range', async () => {
    await page.getByText('7D', { exact: true }).click()
    await expect(page).toHaveURL(/range=7d/)
    await page.getByLabel('Shade zones by').selectOption({ label: 'Revenue' })
    await expect(page).toHaveURL(/shade=revenue/)
    await drawer.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('columnheader', { name: 'Revenue' })).toBeVisible()
  })

  await test.step('a circle shows its city and becomes a task', async () => {
    const [first] = places.outliers
    if (!first) throw new Error('The sample company has no city outside every zone')
    const popup = await openCircle(page, first)
    await planner.checkScreen()
    await popup.getByRole('button', { name: 'Add City Task' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add City Task' })
    await expect(dialog.getByLabel('City Name')).toHaveValue(first.city)
    await expect(dialog.getByLabel('Task Title')).toHaveValue(`Open city: ${first.city}`)
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('Task created successfully!')).toBeVisible()
    await expect(dialog).toBeHidden()
  })

  await test.step('a city in the URL is scrolled into view', async () => {
    const [first] = places.outliers
    await page.goto(`${limber.url}/growth/heatmap?city=${first?.city}&view=40,-100,9`)
    await expect.poll(() => Math.abs(latitudeOf(page) - (first?.lat ?? 0)), PATIENCE).toBeLessThan(0.5)
  })

  await test.step('the plus button creates a task without a city, and Cancel creates none', async () => {
    await page.getByRole('button', { name: 'Create New City Task' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create New City Task' })
    await dialog.getByLabel('City Name').fill('Blythe')
    await expect(dialog.getByLabel('Task Title')).toHaveValue('Open city: Blythe')
    await dialog.getByLabel('City Name').fill('')
    await expect(dialog.getByLabel('Task Title')).toHaveValue('')
    await planner.checkScreen()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
  })
})

test('the map as a table, for a browser without WebGL', async () => {
  const { page } = planner
  // The browser reports no WebGL.
  await page.addInitScript(() => {
    const draw = HTMLCanvasElement.prototype.getContext
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
      return kind.startsWith('webgl') ? null : Reflect.apply(draw, this, [kind, ...rest])
    } as typeof draw
  })
  await page.goto(`${limber.url}/growth/heatmap`)
  await expect(page.getByText(/This browser cannot show the map/)).toBeVisible()
  const zones = page.getByRole('table', { name: 'Zones in view' })
  const cities = page.getByRole('table', { name: 'Outlier cities in view' })

  await test.step('an outlier city becomes a task, which shows in its drawer and can be completed', async () => {
    const add = cities.getByRole('button', { name: /^Add City Task for / }).last()
    const city = (await add.getAttribute('aria-label'))?.replace('Add City Task for ', '') ?? ''
    await planner.checkScreen()
    await add.click()
    const dialog = page.getByRole('dialog', { name: 'Add City Task' })
    await dialog.getByLabel('Task Title').fill(`Ask around in ${city}`)
    await dialog.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('Task created successfully!')).toBeVisible()
    await cities.getByRole('button', { name: city, exact: true }).click()
    const drawer = page.getByRole('complementary', { name: city })
    const task = drawer.getByRole('checkbox', { name: `Ask around in ${city}` })
    await task.click()
    await expect(task).toBeChecked()
    await planner.checkScreen()
  })

  await test.step('a zone is selected and kept in the URL', async () => {
    await page.goto(`${limber.url}/growth/heatmap`)
    await zones.getByRole('button', { name: 'Riverside', exact: true }).click()
    await expect(page).toHaveURL(/zone=\d+/)
    await page.reload()
    await expect(page.getByRole('complementary', { name: 'Riverside' })).toBeVisible()
  })
})
