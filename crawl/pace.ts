import type { CDPSession, Page, Request } from '@playwright/test'

/** Users notice a blocked page after this many milliseconds. */
const FELT = 200
const QUIET = 60
const PATIENCE = 8000

const watches = new WeakMap<Page, { session: CDPSession; before: number }>()

/** CPU time of the page's main thread since the last call, in milliseconds. Other load on the machine does not count. */
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
  if (!thread) throw new Error('This browser does not report the thread time of a page')
  const worked = thread.value * 1000
  const { before } = watch
  watch.before = worked
  // A reloaded page may have a new thread that starts at zero.
  return worked < before ? worked : worked - before
}

/**
 * The longest noticeable blocking of the page since the last call, if its own work caused it. The first call starts the
 * observer inside the page, because an init script would log errors in sandboxed frames.
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

/** A map without a graphics card keeps the CPU busy. Its speed is measured elsewhere. */
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

/** Waits until all requests of a page have finished and it is rendered. */
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
              // Time-sliced rendering leaves no idle time in between.
              requestIdleCallback(() => resolve(), { timeout: 500 })
            }
            ask()
          }),
        [QUIET, Math.max(0, end - Date.now())] as const,
      )
    } while (asked.size > 0 && Date.now() < end)
  }
}
