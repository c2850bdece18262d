import { chromium, type Page } from '@playwright/test'
import type { TimelineEntry } from '../../contract/src/support/timeline/timeline.ts'
import { findBrowser, WITHOUT_WEBGL } from '../../scripts/browser.ts'
import { startLimber } from '../../web/tests/limber.ts'
import { preparePages } from '../../web/tests/pages.ts'
import { quantile } from '../measure.ts'
import type { Result } from '../result.ts'

const ENTRIES = 1_000
const FRAME_MS = 1_000 / 60
const SECONDS = 5

const makeEntry = (n: number): TimelineEntry => ({
  key: `note-${n}`,
  group: 'notes',
  kind: 'note',
  at: new Date(Date.now() - n * 9 * 3_600_000).toISOString(),
  title: `Note ${n} by Dana Whitfield`,
  text: n % 3 === 0 ? 'on ticket #41 Charged twice for a session on Saturday' : '',
  quote: n % 2 === 0 ? 'Prefers mornings, and asked to be called back after the next session.' : null,
  tone: n % 5 === 0 ? 'amber' : null,
  amount: n % 7 === 0 ? ('225.0000' as TimelineEntry['amount']) : null,
  balance: null,
  stars: n % 11 === 0 ? 4 : null,
  link: null,
})

/** Answers each page of a timeline with the next entries, so that it does not matter who is in the sample company. */
async function serveEntries(page: Page): Promise<void> {
  await page.route('**/api/support/users/*/timeline?*', (route) => {
    const query = new URL(route.request().url()).searchParams
    const start = Number(/~note~(\d+)$/.exec(query.get('before') ?? '')?.[1] ?? 0)
    const end = Math.min(ENTRIES, start + Number(query.get('limit') ?? 50))
    const entries = Array.from({ length: end - start }, (_, place) => makeEntry(start + place))
    const next = end < ENTRIES ? `2026-01-01T00:00:00.000000Z~note~${end}` : null
    return route.fulfill({ json: { entries, next, failed: [] } })
  })
}

/** Scrolls from the top to the end with a constant speed, and returns the time between frames. */
const scrollDown = (page: Page, seconds: number): Promise<number[]> =>
  page.evaluate(`(async () => {
    scrollTo(0, 0)
    const end = document.documentElement.scrollHeight - innerHeight
    const frames = []
    const start = await new Promise(requestAnimationFrame)
    let last = start
    while (last - start < ${seconds * 1_000}) {
      const now = await new Promise(requestAnimationFrame)
      frames.push(now - last)
      last = now
      scrollTo(0, end * Math.min(1, (now - start) / ${seconds * 1_000}))
    }
    return frames
  })()`)

/** Scrolls through 1,000 entries of a timeline in a browser. */
export async function benchScroll(): Promise<Result[]> {
  const removePages = await preparePages()
  const limber = await startLimber('sample')
  const { executablePath, args } = await findBrowser()
  const browser = await chromium.launch({ executablePath, args: [...args, ...WITHOUT_WEBGL] })
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    await page.goto(limber.link)
    await page.waitForURL((at) => !at.pathname.startsWith('/sample-door'))
    await serveEntries(page)
    await page.goto(`${limber.url}/support/users?user=8`)
    await page.waitForSelector('[data-entry]')
    const count = () => page.locator('[data-entry]').count()
    for (let tries = 0; (await count()) < ENTRIES && tries < 200; tries += 1) {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
      await page.waitForTimeout(100)
    }
    const shown = await count()
    if (shown !== ENTRIES) throw new Error(`${shown} of ${ENTRIES} entries are shown`)
    await scrollDown(page, 1)
    const frames = await scrollDown(page, SECONDS)
    const rate = (1_000 * frames.length) / frames.reduce((sum, ms) => sum + ms, 0)
    return [
      {
        name: `scroll through ${ENTRIES} entries of a timeline`,
        ratio: 60 / rate,
        budget: 1.05,
        figure: `${rate.toFixed(0)} frames per second; 99% of the frames within ${quantile(frames, 0.99).toFixed(1)} ms of ${FRAME_MS.toFixed(1)}`,
      },
    ]
  } finally {
    await browser.close()
    await limber.stop()
    await removePages()
  }
}
