import { chromium, type Page } from '@playwright/test'
import { findBrowser, WITHOUT_WEBGL } from '../scripts/browser.ts'
import { startLimber } from '../web/tests/limber.ts'
import { preparePages } from '../web/tests/pages.ts'
import { median } from './measure.ts'
import type { Result } from './result.ts'

/** Maximum time until the content is shown. */
const WARM_MS = 100
const FIRST_VISIT_MS = 500
const ROUNDS = 5
const TABS = ['/analytics', '/worker', '/support', '/growth']

interface Section {
  path: string
  first: number[]
  warm: number[]
}

/**
 * Clicks the link of a section and waits until its content is shown. Runs inside the page, so that messages between the
 * browser and this process are not measured. Hovers first, like a person. The content must stay for a while, because a
 * skeleton may replace it again.
 */
const switchTo = (page: Page, path: string, hoverMs: number): Promise<number> =>
  page.evaluate(`(async () => {
    const link = document.querySelector('nav a[href="${path}"]')
    if (!link) throw new Error('No link to ${path}')
    for (const type of ['mouseover', 'mouseenter', 'pointerenter', 'pointerover'])
      link.dispatchEvent(new PointerEvent(type, { bubbles: true }))
    await new Promise((resolve) => setTimeout(resolve, ${hoverMs}))
    const isShown = () =>
      location.pathname === '${path}' &&
      document.querySelector('main :is(h1, h2)') !== null &&
      document.querySelector('main :is([role=status][aria-label=Loading], [data-bones])') === null
    const start = performance.now()
    link.click()
    let since
    for (;;) {
      await new Promise(requestAnimationFrame)
      const now = performance.now()
      since = isShown() ? (since ?? now) : undefined
      if (since !== undefined && now - since > 250) return since - start
      if (now - start > 15000) throw new Error('${path} was not shown after 15 s')
    }
  })()`)

/** The sections linked in the navigation, by tab. */
async function findSections(page: Page, url: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const tab of TABS) {
    await page.goto(url + tab)
    await page.waitForSelector('main :is(h1, h2)')
    const paths = await page
      .locator('nav[aria-label$=" sections"] a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    // The queues of tickets are views of one section.
    const sections = new Set(paths.filter((path) => !path.includes('?')))
    if (sections.size > 1) found.set(tab, [...sections])
  }
  return found
}

/** Waits until prefetching is done, so that a first visit measures only its own requests. */
const waitForIdle = (page: Page) => page.waitForLoadState('networkidle').catch(() => {})

/** Measures one tab: loads the page, then visits each section twice. */
async function walkTab(page: Page, url: string, sections: readonly Section[]): Promise<void> {
  const [last] = sections.slice(-1)
  if (!last) return
  const load = async () => {
    await page.goto(url + last.path)
    await page.waitForSelector('main :is(h1, h2)')
  }
  // The first round fills the script cache of the browser and does not count.
  await load()
  for (const { path } of sections) await switchTo(page, path, 0)
  for (let round = 0; round < ROUNDS; round += 1) {
    await load()
    for (const section of sections) {
      await waitForIdle(page)
      section.first.push(await switchTo(page, section.path, 60))
    }
    for (const section of sections) section.warm.push(await switchTo(page, section.path, 60))
  }
}

const inMs = (ms: number) => `${ms.toFixed(0)} ms`

function judge(
  sections: readonly Section[],
  name: string,
  budget: number,
  pick: (section: Section) => number[],
): Result {
  const slowest = sections
    .map((section) => ({ path: section.path, ms: median(pick(section)) }))
    .toSorted((a, b) => b.ms - a.ms)
  const [worst] = slowest
  if (!worst) throw new Error('No sections found')
  const all = median(slowest.map(({ ms }) => ms))
  const top = slowest.slice(0, 5).map(({ path, ms }) => `${path} ${inMs(ms)}`)
  return {
    name,
    ratio: worst.ms / budget,
    budget: 1,
    figure: `slowest of ${sections.length} sections ${inMs(worst.ms)} of ${inMs(budget)}, median ${inMs(all)}; ${top.join(', ')}`,
  }
}

/** Measures switching between sections in a browser with the sample company, until the content is shown. */
export async function benchUi(): Promise<Result[]> {
  const removePages = await preparePages()
  const limber = await startLimber('sample')
  const { executablePath, args } = await findBrowser()
  const browser = await chromium.launch({ executablePath, args: [...args, ...WITHOUT_WEBGL] })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
    await page.goto(limber.link)
    await page.waitForURL((at) => !at.pathname.startsWith('/sample-door'))
    const paths = await findSections(page, limber.url)
    const sections: Section[] = []
    for (const own of paths.values()) {
      const tab = own.map((path) => ({ path, first: [], warm: [] }))
      await walkTab(page, limber.url, tab)
      sections.push(...tab)
    }
    return [
      judge(sections, 'switch to a visited section', WARM_MS, ({ warm }) => warm),
      judge(sections, 'first visit of a section, scripts cached', FIRST_VISIT_MS, ({ first }) => first),
    ]
  } finally {
    await browser.close()
    await limber.stop()
    await removePages()
  }
}
