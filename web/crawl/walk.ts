import type { Page } from '@playwright/test'
import type { makeAlbum } from './album.ts'
import { judgeAccess, judgeLayout, listen } from './judge.ts'
import { findOpenings, open } from './openings.ts'

export interface View {
  width: 1440 | 768 | 390
  theme: 'light' | 'dark'
}

export interface WalkOptions {
  role: string
  views: readonly View[]
  /** Whether tabs, menus and dialogs are opened too. */
  opens: boolean
  /** Only places whose path holds this. */
  only?: string
  album?: ReturnType<typeof makeAlbum>
}

const FIRST: View = { width: 1440, theme: 'light' }
const HEIGHTS = { 1440: 900, 768: 1024, 390: 844 }

async function look(page: Page, { width, theme }: View): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height: HEIGHTS[width] })
  await page.waitForTimeout(120)
}

/** Until what the page asked for is there and drawn. */
async function settle(page: Page): Promise<void> {
  await page.waitForSelector('main :is(h1, h2)', { timeout: 30_000 })
  await page.waitForTimeout(150)
  await page
    .waitForFunction(() => !document.querySelector('[aria-busy=true], [data-loading=true]'), undefined, {
      timeout: 8000,
    })
    .catch(() => {})
  await page.waitForTimeout(150)
}

const placeOf = ({ pathname, search }: { pathname: string; search: string }) => pathname + search

/** One record of a kind stands for the rest, be it in the path or chosen behind the question mark. */
function kindOf(place: string): string {
  const { pathname, searchParams } = new URL(place, 'http://limber')
  return [pathname.replace(/\/\d+/g, '/#'), ...[...new Set(searchParams.keys())].toSorted()].join(' ')
}

/**
 * Walks every place that somebody can reach by links, opens what opens, and looks at each state in every view.
 * Gives everything that is wrong, each with the place where it was found.
 */
export async function walk(page: Page, { role, views, opens, only, album }: WalkOptions) {
  const heard = listen(page)
  const faults: string[] = []
  const counts = { screens: 0, states: 0 }

  const note = (place: string, found: readonly string[]) => {
    for (const each of found) faults.push(`${role} ${place}: ${each}`)
  }

  async function lookAt(label: string): Promise<void> {
    counts.states += 1
    for (const view of views) {
      await look(page, view)
      const name = `${view.width} ${view.theme}`
      note(`${label} (${name})`, await judgeLayout(page))
      if (view.width === FIRST.width) {
        const isDark = view.theme === 'dark'
        note(`${label} (${name})`, await judgeAccess(page, isDark ? 'color-contrast' : undefined))
      }
      await album?.add(`${role} ${name}`, label, await page.screenshot())
    }
    await look(page, FIRST)
    note(label, heard())
  }

  async function visit(path: string): Promise<void> {
    await page.goto(path)
    await settle(page)
  }

  async function openAll(path: string): Promise<void> {
    const openings = await findOpenings(page)
    for (const opening of openings) {
      if (placeOf(new URL(page.url())) !== path) await visit(path)
      await findOpenings(page)
      const outcome = await open(page, opening)
      if (outcome === 'nothing') note(path, [`a click that does nothing: ${opening.name}`])
      if (outcome === 'opened') {
        await settle(page)
        await lookAt(`${path} > ${opening.name}`)
      }
      await visit(path)
    }
  }

  await look(page, FIRST)
  await visit('/')
  const waiting = [new URL(page.url()).pathname]
  const known = new Set(waiting.map(kindOf))
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    await visit(path)
    const links = await page.$$eval('a[href^="/"]', (all) => all.map((each) => (each as HTMLAnchorElement).href))
    for (const link of links) {
      const url = new URL(link)
      // Details of a list stand behind its address; whoever only looks at the screens leaves them shut.
      const next = opens ? placeOf(url) : url.pathname
      if (known.has(kindOf(next)) || next.startsWith('/api/') || next.startsWith('/verify/')) continue
      known.add(kindOf(next))
      waiting.push(next)
    }
    if (only && !path.includes(only)) continue
    counts.screens += 1
    await lookAt(path)
    if (opens) await openAll(path)
  }
  return { faults: [...new Set(faults)], ...counts }
}
