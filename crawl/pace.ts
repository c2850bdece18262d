import type { CDPSession, Page, Request } from '@playwright/test'

/** Whatever a page does in one go for longer than this is felt. */
const FELT = 200
const QUIET = 60
const PATIENCE = 8000

const watches = new WeakMap<Page, { session: CDPSession; before: number }>()

/** What the thread of a page has worked since it was last asked, in milliseconds; what others do on the machine does not count. */
async function workOf(page: Page): Promise<number> {
  let watch = watches.get(page)
  if (!watch) {
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    watch = { session, before: 0 }
    watches.set(page, watch)
  }
  const { metrics } = await watch.session.send('Performance.getMetrics')
  const thread = metrics.find(({ name }) => name === 'ThreadTime')
  if (!thread) throw new Error('This browser does not tell how long the thread of a page has worked')
  const worked = thread.value * 1000
  const { before } = watch
  watch.before = worked
  // A page that was loaded anew may have a new thread, which begins at nothing.
  return worked < before ? worked : worked - before
}

/**
 * The longest that the page was busy in one go since it was last asked, where that is felt and the work its own. The first
 * time it is asked of a page it begins to watch: from the page itself, as frames in which no script may run would refuse it
 * aloud.
 */
export async function feltPause(page: Page): Promise<number | undefined> {
  const longest = await page.evaluate(() => {
    const place = window as unknown as { crawlBusy?: number[] }
    if (!place.crawlBusy) {
      const busy: number[] = []
      place.crawlBusy = busy
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) busy.push(duration)
      }).observe({ type: 'longtask' })
    }
    return Math.max(0, ...place.crawlBusy.splice(0))
  })
  const felt = Math.round(Math.min(longest, await workOf(page)))
  return felt > FELT ? felt : undefined
}

/** A map that no graphics card draws keeps the processor busy with its pixels: how fast it is to use is measured elsewhere. */
export const isDrawnInSoftware = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLCanvasElement>('canvas.maplibregl-canvas')].some((canvas) => {
      const gl = canvas.getContext('webgl2')
      const asked = gl?.getExtension('WEBGL_debug_renderer_info')
      return (
        asked != null && /swiftshader|llvmpipe|software/i.test(String(gl?.getParameter(asked.UNMASKED_RENDERER_WEBGL)))
      )
    }),
  )

/** Waits until a page has what it asked for, and has drawn it. */
export function makeSettle(page: Page): () => Promise<void> {
  const asked = new Set<Request>()
  page.on('request', (request) => {
    if (request.resourceType() !== 'eventsource') asked.add(request)
  })
  page.on('requestfinished', (request) => asked.delete(request))
  page.on('requestfailed', (request) => asked.delete(request))
  page.on('framenavigated', (frame) => frame === page.mainFrame() && asked.clear())

  return async () => {
    const end = Date.now() + PATIENCE
    await page.waitForSelector('main :is(h1, h2)', { timeout: 30_000 })
    do {
      await page.evaluate(
        ([quiet, patience]) =>
          new Promise<void>((resolve) => {
            const began = performance.now()
            let changed = began
            const watch = new MutationObserver(() => (changed = performance.now()))
            watch.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true })
            const ask = () => {
              const now = performance.now()
              const isBusy = document.querySelector('[aria-busy=true], [data-loading=true]') !== null
              if ((isBusy || now - changed < quiet) && now - began < patience) {
                setTimeout(ask, 20)
                return
              }
              watch.disconnect()
              // What is drawn in slices leaves no pause between them.
              requestIdleCallback(() => resolve(), { timeout: 500 })
            }
            ask()
          }),
        [QUIET, Math.max(0, end - Date.now())] as const,
      )
    } while (asked.size > 0 && Date.now() < end)
  }
}
