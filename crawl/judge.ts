import type { Page } from '@playwright/test'

/** Texts that must never appear on a page. */
const BROKEN_WORDS = /\bundefined\b|\bNaN\b|\[object Object\]|Invalid Date/

/** Collects page errors, console errors and failed requests. */
export function listen(page: Page): () => string[] {
  const heard: string[] = []
  page.on('pageerror', (error) => heard.push(`page error: ${error.message}`))
  page.on('console', (message) => {
    const isRequest = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isRequest) heard.push(`console: ${message.text()}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    if (reason !== 'net::ERR_ABORTED') heard.push(`${reason}: ${request.method()} ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() < 400) return
    heard.push(`${response.status()}: ${response.request().method()} ${new URL(response.url()).pathname}`)
  })
  return () => heard.splice(0)
}

/** Layout faults of the current page. */
export async function judgeLayout(page: Page): Promise<string[]> {
  return page.evaluate((broken) => {
    const found: string[] = []
    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth + 1) {
      found.push(`sideways overflow: ${root.scrollWidth} of ${root.clientWidth} px`)
    }
    const words = document.body.innerText.match(new RegExp(broken, 'g')) ?? []
    if (words.length > 0) found.push(`broken words: ${[...new Set(words)].join(', ')}`)
    const isSeen = (part: Element) => part.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    const isCut = (part: Element) =>
      part.clientWidth > 1 &&
      part.scrollWidth > part.clientWidth + 2 &&
      getComputedStyle(part).overflowX !== 'visible' &&
      // Long names may be truncated with an ellipsis.
      getComputedStyle(part).textOverflow !== 'ellipsis'
    // Text that does not wrap can run under the next element.
    const runsOver = (part: Element) => {
      const { whiteSpace, display, overflowX } = getComputedStyle(part)
      const isText = [...part.children].every((child) => getComputedStyle(child).display.startsWith('inline'))
      const isPlaced =
        whiteSpace === 'nowrap' && display !== 'inline' && overflowX === 'visible' && part.clientWidth > 1
      return isText && isPlaced && part.scrollWidth > part.clientWidth + 2
    }
    for (const part of document.querySelectorAll<HTMLElement>('main :is(span, p, dd, dt, div, h1, h2, h3)')) {
      if (runsOver(part) && isSeen(part)) {
        found.push(`runs over: ${part.innerText.trim().slice(0, 60)}`)
      }
    }
    for (const control of document.querySelectorAll<HTMLElement>('button, [role=tab], [role=menuitem]')) {
      if (!isSeen(control)) continue
      if ([control, ...control.querySelectorAll('span, div')].some(isCut)) {
        found.push(`cut off: ${control.innerText.trim().slice(0, 60)}`)
      }
    }
    // A select shows its option on one line, however narrow it is.
    const pen = document.createElement('canvas').getContext('2d')
    for (const list of document.querySelectorAll('select')) {
      const chosen = list.selectedOptions[0]?.text ?? ''
      const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight, textOverflow } = getComputedStyle(list)
      if (!pen || textOverflow === 'ellipsis' || !isSeen(list)) continue
      // The font shorthand is empty if a part cannot be expressed in it, such as tabular numbers.
      pen.font = `${fontWeight} ${fontSize} ${fontFamily}`
      const room = list.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      if (pen.measureText(chosen).width > room + 1) found.push(`cut off: ${chosen.slice(0, 60)}`)
    }
    return found
  }, BROKEN_WORDS.source)
}
