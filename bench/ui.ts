import { chromium, type Page } from '@playwright/test'
import { findBrowser, WITHOUT_WEBGL } from '../scripts/browser.ts'
import { startLimber } from '../web/tests/limber.ts'
import { preparePages } from '../web/tests/pages.ts'
import { median } from './measure.ts'
import type { Result } from './result.ts'

/** What a switch may take until the content is there. */
const WARM_MS = 100
const FIRST_VISIT_MS = 500
const ROUNDS = 5
const TABS = ['/analytics', '/worker', '/support', '/growth']

interface Place {
  path: string
  first: number[]
  warm: number[]
}

/**
 * Clicks a section's link and waits until its content is drawn. Runs inside the page, so that no message between the
 * browser and this process is timed. The pointer comes near first, as a person's does. Content that a skeleton replaces
 * again was not there yet: it must stay for a while.
 */
const switchTo = (page: Page, path: string, hoverMs: number): Promise<number> =>
  page.evaluate(`(async () => {
    const link = document.querySelector('nav a[href="${path}"]')
    if (!link) throw new Error('No link leads to ${path}')
    for (const type of ['mouseover', 'mouseenter', 'pointerenter', 'pointerover'])
      link.dispatchEvent(new PointerEvent(type, { bubbles: true }))
    await new Promise((resolve) => setTimeout(resolve, ${hoverMs}))
    const isThere = () =>
      location.pathname === '${path}' &&
      document.querySelector('main :is(h1, h2)') !== null &&
      document.querySelector('main :is([role=status][aria-label=Loading], [data-bones])') === null
    const start = performance.now()
    link.click()
    let since
    for (;;) {
      await new Promise(requestAnimationFrame)
      const now = performance.now()
      since = isThere() ? (since ?? now) : undefined
      if (since !== undefined && now - since > 250) return since - start
      if (now - start > 15000) throw new Error('${path} was not there after 15 s')
    }
  })()`)

/** The sections that links of the shell lead to, by tab. */
async function findSections(page: Page, url: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const tab of TABS) {
    await page.goto(url + tab)
    await page.waitForSelector('main :is(h1, h2)')
    const paths = await page
      .locator('nav[aria-label$=" sections"] a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    if (paths.length > 1) found.set(tab, [...new Set(paths)])
  }
  return found
}

/** Waits until nothing is fetched ahead any more: a first visit is then first in what it has to read. */
const settle = (page: Page) => page.waitForLoadState('networkidle').catch(() => {})

/** One tab: a load of the page, then each section for the first time, then each again. */
async function walkTab(page: Page, url: string, places: readonly Place[]): Promise<void> {
  const [last] = places.slice(-1)
  if (!last) return
  const load = async () => {
    await page.goto(url + last.path)
    await page.waitForSelector('main :is(h1, h2)')
  }
  // The first walk fills the browser's cache of scripts, and is not counted.
  await load()
  for (const { path } of places) await switchTo(page, path, 0)
  for (let round = 0; round < ROUNDS; round += 1) {
    await load()
    for (const place of places) {
      await settle(page)
      place.first.push(await switchTo(page, place.path, 60))
    }
    for (const place of places) place.warm.push(await switchTo(page, place.path, 60))
  }
}

const inMs = (ms: number) => `${ms.toFixed(0)} ms`

function judge(places: readonly Place[], name: string, budget: number, pick: (place: Place) => number[]): Result {
  const slowest = places.map((place) => ({ path: place.path, ms: median(pick(place)) })).toSorted((a, b) => b.ms - a.ms)
  const [worst] = slowest
  if (!worst) throw new Error('No section was found')
  const all = median(slowest.map(({ ms }) => ms))
  const few = slowest.slice(0, 5).map(({ path, ms }) => `${path} ${inMs(ms)}`)
  return {
    name,
    ratio: worst.ms / budget,
    budget: 1,
    figure: `slowest of ${places.length} sections ${inMs(worst.ms)} of ${inMs(budget)}, median ${inMs(all)}; ${few.join(', ')}`,
  }
}

/** How long a switch between sections takes in a browser, with the sample company, until the content is drawn. */
export async function benchUi(): Promise<Result[]> {
  const removePages = await preparePages()
  const limber = await startLimber('sample')
  const { executablePath, args } = await findBrowser()
  const browser = await chromium.launch({ executablePath, args: [...args, ...WITHOUT_WEBGL] })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
    await page.goto(limber.link)
    await page.waitForURL((at) => !at.pathname.startsWith('/sample-door'))
    const sections = await findSections(page, limber.url)
    const places: Place[] = []
    for (const paths of sections.values()) {
      const those = paths.map((path) => ({ path, first: [], warm: [] }))
      await walkTab(page, limber.url, those)
      places.push(...those)
    }
    return [
      judge(places, 'switch to a section seen before', WARM_MS, ({ warm }) => warm),
      judge(places, 'first visit of a section, scripts cached', FIRST_VISIT_MS, ({ first }) => first),
    ]
  } finally {
    await browser.close()
    await limber.stop()
    await removePages()
  }
}
