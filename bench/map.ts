import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import type pg from 'pg'
import { formatInteger } from '../contract/src/kit/formats/numbers.ts'
import { findBrowser, WITH_WEBGL } from '../scripts/browser.ts'
import type { Result } from './result.ts'
import { serveOurs, signInWorker, withDatabase } from './served.ts'

const ACROSS = 50
const DOWN = 40
const ZONES = ACROSS * DOWN
const CORNERS = 24
const PORT = 3811
/** Time per frame at 60 frames per second. */
const FRAME = 1000 / 60
/** Minimum frames per second for a usable map. */
const USABLE = 10

/** A zone with many corners in its cell of the grid that fills the initial view of the map. */
function outline(index: number): [number, number][] {
  const [x, y] = [index % ACROSS, Math.floor(index / ACROSS)]
  const [west, south, wide, high] = [-118.03 + x * 0.025, 33.63 + y * 0.016, 0.024, 0.015]
  const corner = (n: number): [number, number] => {
    const turn = (2 * Math.PI * (n % CORNERS)) / CORNERS
    const reach = n % 2 ? 0.5 : 0.42
    return [west + wide * (0.5 + reach * Math.cos(turn)), south + high * (0.5 + reach * Math.sin(turn))]
  }
  return Array.from({ length: CORNERS + 1 }, (_, n) => corner(n))
}

async function fill(data: pg.Client) {
  const rows = Array.from({ length: ZONES }, (_, index) => {
    const ring = outline(index)
    const [lngs, lats] = [ring.map(([lng]) => lng), ring.map(([, lat]) => lat)]
    return {
      name: `Zone ${index + 1}`,
      geometry: { type: 'Polygon', coordinates: [ring] },
      west: Math.min(...lngs),
      east: Math.max(...lngs),
      south: Math.min(...lats),
      north: Math.max(...lats),
    }
  })
  await data.query(
    `insert into zones (name, time_zone, geometry, west, south, east, north, created_at)
     select name, 'America/Los_Angeles', geometry, west, south, east, north, now()
     from jsonb_to_recordset($1) r (name text, geometry jsonb, west float8, south float8, east float8, north float8)`,
    [JSON.stringify(rows)],
  )
}

async function untilComputed(data: pg.Client) {
  for (;;) {
    if ((await data.query('select from growth_state')).rowCount) return
    await new Promise((done) => setTimeout(done, 500))
  }
}

/** Drags the map back and forth. Returns the main-thread time per frame, and the frame rate. */
async function drag(page: Page) {
  const box = await page.locator('canvas').first().boundingBox()
  if (!box) throw new Error('The map is missing')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const watch = await page.context().newCDPSession(page)
  await watch.send('Performance.enable')
  const busy = async () => {
    const { metrics } = await watch.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  await page.evaluate(`{
    window.__frames = 0
    const count = () => { window.__frames++; requestAnimationFrame(count) }
    requestAnimationFrame(count)
  }`)
  await page.mouse.move(x, y)
  await page.mouse.down()
  const [before, startedAt] = [await busy(), performance.now()]
  const first = await page.evaluate<number>('window.__frames')
  for (let step = 0; step < 120; step++) await page.mouse.move(x + 60 * Math.sin(step / 8), y + 40 * Math.cos(step / 8))
  const frames = (await page.evaluate<number>('window.__frames')) - first
  const [spent, seconds] = [(await busy()) - before, (performance.now() - startedAt) / 1000]
  await page.mouse.up()
  return { cost: spent / frames, rate: frames / seconds }
}

/** `npm run bench` builds only the server. */
const buildWeb = () =>
  execFileSync(process.execPath, ['scripts/run.mjs', 'scripts/build-web.ts'], {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
  })

/** Measures dragging a map with 2,000 zones in a browser without a graphics card. */
export const benchMap = (): Promise<Result[]> =>
  withDatabase('map', async (url, data) => {
    buildWeb()
    await fill(data)
    const token = await signInWorker(data, '{4,31}')
    const { child, origin } = await serveOurs(PORT, url, token)
    const { executablePath, args } = await findBrowser()
    const browser = await chromium.launch({ executablePath, args: [...args, ...WITH_WEBGL] })
    try {
      await untilComputed(data)
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
      await context.addCookies([{ name: 'sid', value: token, url: origin }])
      const page = await context.newPage()
      await page.goto(`${origin}/growth/heatmap`)
      await page.getByRole('row', { name: /^Zone 1 / }).waitFor({ timeout: 60_000 })
      const shown = await page.getByRole('table', { name: 'Zones in view' }).getByRole('row').count()
      if (shown - 1 !== ZONES) throw new Error(`${shown - 1} of ${ZONES} zones are shown`)
      await page.waitForTimeout(5_000)
      const { cost, rate } = await drag(page)
      const label = `${formatInteger(ZONES)} zones`
      return [
        {
          name: `dragging ${label}: main thread per frame`,
          ratio: cost / FRAME,
          budget: 1,
          figure: `${cost.toFixed(1)} ms of ${FRAME.toFixed(1)} ms`,
        },
        {
          name: `dragging ${label} without a graphics card`,
          ratio: USABLE / rate,
          budget: 1,
          figure: `${rate.toFixed(0)} frames per second; ${USABLE} are usable`,
        },
      ]
    } finally {
      await browser.close()
      child.kill('SIGKILL')
    }
  })
