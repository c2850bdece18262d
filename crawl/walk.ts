import type { Page } from '@playwright/test'
import { CONTRAST, judgeAccess } from './access.ts'
import type { makeAlbum } from './album.ts'
import { judgeContrast } from './contrast.ts'
import { judgeLayout, listen } from './judge.ts'
import { closeByEscape, countLayers, findOpenings, type Opening, open, signature, type Within } from './openings.ts'
import { feltPause, isDrawnInSoftware, makeSettle } from './pace.ts'

export interface View {
  width: 1440 | 768 | 390
  theme: 'light' | 'dark'
}

export interface WalkOptions {
  role: string
  /** The views in which each screen is checked. */
  views: readonly View[]
  /** The views for tabs, menus and dialogs; empty to leave them closed. */
  openViews: readonly View[]
  /** Navigates without reloads, and checks contrast by solid colors only. */
  isBrief?: boolean
  /** Whether to report slow pages. Not useful on a busy machine. */
  isPaced?: boolean
  /** Starts here, and visits only paths that contain this. */
  only?: string
  album?: ReturnType<typeof makeAlbum>
  /** Called for each fault. */
  tell?: (fault: string) => void
}

const FIRST: View = { width: 1440, theme: 'light' }
const HEIGHTS = { 1440: 900, 768: 1024, 390: 844 }
/** Keys that open a layer on any screen, with its name. */
const KEYS = { '?': 'Keyboard', 'Control+k': 'Search' }
/** A busy machine makes pages slow at times, so only what is slow every time counts. */
const TRIES = 3

/** The start of a sequence of steps: the loaded page and the part to try. */
interface Start {
  path: string
  stood: string
  within: Within
}

const nextFrame = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

/** Switches the view, only if it differs. */
function makeLook(page: Page) {
  let now: View | undefined
  return async (view: View) => {
    if (view.theme !== now?.theme) await page.emulateMedia({ colorScheme: view.theme, reducedMotion: 'reduce' })
    if (view.width !== now?.width) await page.setViewportSize({ width: view.width, height: HEIGHTS[view.width] })
    const isChanged = view.theme !== now?.theme || view.width !== now?.width
    now = view
    if (isChanged) await nextFrame(page)
  }
}

const placeOf = ({ pathname, search }: { pathname: string; search: string }) => pathname + search

/** Search parameters that select a part of the page, not a record. */
const PARTS = new Set(['tab', 'view'])

/** A part has a name. The `view` of a map is a position instead. */
const isPart = (key: string, value: string) => PARTS.has(key) && /^[a-z]/i.test(value)

/** The page with the selected part, without record ids. */
function pageOf(place: string): string {
  const { pathname, searchParams } = new URL(place, 'http://limber')
  const parts = [...searchParams].filter(([key, value]) => isPart(key, value)).map((part) => part.join('='))
  return [pathname.replace(/\/\d+/g, '/#'), ...parts.toSorted()].join(' ')
}

/**
 * What a URL shows: its page, open parts and selections. One record stands for all records of its kind, and a tab is not
 * repeated for every other selection.
 */
function sightsOf(place: string): string[] {
  const { pathname, searchParams } = new URL(place, 'http://limber')
  const page = pathname.replace(/\/\d+/g, '/#')
  return [page, ...[...searchParams].map(([key, value]) => `${page} ${isPart(key, value) ? `${key}=${value}` : key}`)]
}

/**
 * Follows all links, opens everything that opens, and checks each state in every view. Returns all faults with the place
 * where they were found.
 */
export async function walk(page: Page, { role, views, openViews, ...options }: WalkOptions) {
  const { isBrief = false, isPaced = false, only, album, tell } = options
  const heard = listen(page)
  const look = makeLook(page)
  const settle = makeSettle(page)
  const opens = openViews.length > 0
  const faults = new Set<string>()
  const counts = { screens: 0, states: 0 }

  const note = (place: string, found: readonly string[]) => {
    for (const each of found) {
      const fault = `${role} ${place}: ${each}`
      if (!faults.has(fault)) tell?.(fault)
      faults.add(fault)
    }
  }

  async function lookAt(label: string, asSeen: readonly View[]): Promise<void> {
    counts.states += 1
    const judged = new Set<View['theme']>()
    for (const view of asSeen) {
      await look(view)
      const name = `${view.width} ${view.theme}`
      note(`${label} (${name})`, await judgeLayout(page))
      // The themes differ only in colors.
      if (!judged.has(view.theme)) {
        judged.add(view.theme)
        if (!isBrief) note(`${label} (${name})`, await judgeAccess(page, judged.size > 1 ? { only: CONTRAST } : {}))
        else if (judged.size === 1) note(`${label} (${name})`, await judgeAccess(page, { without: CONTRAST }))
      }
      if (isBrief) note(`${label} (${name})`, await judgeContrast(page))
      await album?.add(`${role} ${name}`, label, await page.screenshot())
    }
    await look(FIRST)
    note(label, heard())
  }

  async function visit(path: string): Promise<void> {
    // The router listens to pushState.
    if (isBrief) await page.evaluate((place) => history.pushState({}, '', place), path)
    else await page.goto(path)
    await settle()
  }

  /** Returns to the initial state; reloads only if the page has changed. */
  async function goBack(path: string, stood: string): Promise<void> {
    if ((await signature(page)) !== stood) await visit(path)
  }

  async function take(opening: Opening, within: Within) {
    await findOpenings(page, within)
    await feltPause(page)
    const outcome = await open(page, opening)
    if (outcome === 'opened') await settle()
    return outcome
  }

  /** Runs the steps in order, from the initial state. */
  async function takeAll({ path, stood, within }: Start, steps: readonly Opening[]) {
    await goBack(path, stood)
    let outcome: Awaited<ReturnType<typeof take>> = 'gone'
    for (const [place, step] of steps.entries()) {
      outcome = await take(step, place === 0 ? within : 'top')
      if (outcome !== 'opened') break
    }
    return outcome
  }

  /** How long the page was blocked after the last step, if it was every time. */
  async function pauseAfter(start: Start, steps: readonly Opening[]): Promise<string[]> {
    if (!isPaced) return []
    let pause = await feltPause(page)
    if (pause && (await isDrawnInSoftware(page))) return []
    for (let tries = 1; pause && tries < TRIES; tries += 1) {
      await visit(start.path)
      await takeAll(start, steps)
      pause = await feltPause(page)
    }
    return pause ? [`busy for ${pause} ms after the click`] : []
  }

  /** Checks what has opened. If it has its own URL, it is visited separately, once. */
  async function lookAtOpened(start: Start, steps: readonly Opening[]): Promise<boolean> {
    const label = [start.path, ...steps.map(({ name }) => name)].join(' > ')
    note(label, await pauseAfter(start, steps))
    note(label, heard())
    const isLayer = (await countLayers(page)) > 0
    const place = placeOf(new URL(page.url()))
    if (place !== start.path && !isLayer && (remember(place) || isSeen(place))) return false
    await lookAt(label, openViews)
    return true
  }

  const isNew = (path: string, { key }: Opening) => {
    const name = `${pageOf(path)} ${key}`
    return !tried.has(name) && tried.add(name) !== undefined
  }

  /** Opens nested things: items of a menu, tabs of a dialog, buttons of a tab. */
  async function openInside(start: Start, outer: Opening): Promise<void> {
    const openings = (await findOpenings(page, 'top')).filter((each) => isNew(start.path, each))
    note([start.path, outer.name].join(' > '), await closeByEscape(page))
    for (const inner of openings) {
      const label = [start.path, outer.name, inner.name].join(' > ')
      const outcome = await takeAll(start, [outer, inner])
      if (outcome === 'nothing') note(label, ['a click that does nothing'])
      if (outcome !== 'opened') continue
      if (await lookAtOpened(start, [outer, inner])) note(label, await closeByEscape(page))
    }
  }

  async function openAll(path: string, within: Within): Promise<void> {
    const start = { path, within, stood: await signature(page) }
    const openings = (await findOpenings(page, within)).filter((each) => isNew(path, each))
    for (const opening of openings) {
      const outcome = await takeAll(start, [opening])
      if (outcome === 'nothing') note(`${path} > ${opening.name}`, ['a click that does nothing'])
      if (outcome === 'opened' && (await lookAtOpened(start, [opening]))) await openInside(start, opening)
    }
  }

  async function openByKeys(path: string): Promise<void> {
    for (const [key, what] of Object.entries(KEYS)) {
      await page.keyboard.press(key)
      await page.waitForSelector('[role=dialog]', { timeout: 8000 }).catch(() => note(path, [`${key} opens nothing`]))
      await settle()
      await lookAt(`${path} > ${what}`, openViews)
      note(`${path} > ${what}`, await closeByEscape(page, 'key'))
    }
  }

  const tried = new Set<string>()
  const waiting: string[] = []
  const known = new Set<string>()
  const isSeen = (place: string) => sightsOf(place).every((sight) => known.has(sight))
  /** Queues a URL, unless everything it shows is already known. */
  const remember = (place: string): boolean => {
    if (isSeen(place) || place.startsWith('/api/') || place.startsWith('/verify/')) return false
    if (only && !place.includes(only)) return false
    for (const sight of sightsOf(place)) known.add(sight)
    waiting.push(place)
    return true
  }

  await look(FIRST)
  await page.goto(only ?? '/')
  await settle()
  const first = only ? placeOf(new URL(page.url())) : new URL(page.url()).pathname
  remember(first)
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    await visit(path)
    const links = await page.$$eval('a[href^="/"]', (all) => all.map((each) => (each as HTMLAnchorElement).href))
    // Search parameters open details; without `openViews` only the screens are visited.
    for (const link of links) remember(opens ? placeOf(new URL(link)) : new URL(link).pathname)
    counts.screens += 1
    await lookAt(path, views)
    if (!opens) continue
    if (path === first) await openByKeys(path)
    await openAll(path, path === first ? 'body' : 'main')
  }
  return { faults: [...faults], ...counts }
}
