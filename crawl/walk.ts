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
  /** How each screen is looked at. */
  views: readonly View[]
  /** How whatever opens is looked at; without any, tabs, menus and dialogs stay shut. */
  openViews: readonly View[]
  /** Goes on without loading each page anew, and judges contrast by plain colours alone. */
  isBrief?: boolean
  /** Whether it matters how long the page is busy: not where others keep the machine busy. */
  isPaced?: boolean
  /** Begins here, and goes only to places whose path holds this. */
  only?: string
  album?: ReturnType<typeof makeAlbum>
  /** Hears each fault as it is found. */
  tell?: (fault: string) => void
}

const FIRST: View = { width: 1440, theme: 'light' }
const HEIGHTS = { 1440: 900, 768: 1024, 390: 844 }
/** Keys that open a layer on any screen, and what it is. */
const KEYS = { '?': 'Keyboard', 'Control+k': 'Search' }
/** A busy machine makes a page slow now and then: only what is slow each time is. */
const TRIES = 3

/** Where steps begin: the page as it stood when it was loaded, and the part of it that is tried. */
interface Start {
  path: string
  stood: string
  within: Within
}

const nextFrame = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))

/** How somebody sees a page, changed only where it differs. */
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

/** What stands behind the question mark and chooses a part of the page, not a record. */
const PARTS = new Set(['tab', 'view'])

/** A part has a name; the view of a map is where it was dragged to. */
const isPart = (key: string, value: string) => PARTS.has(key) && /^[a-z]/i.test(value)

/** The page, or the part of it that is shown. */
function pageOf(place: string): string {
  const { pathname, searchParams } = new URL(place, 'http://limber')
  const parts = [...searchParams].filter(([key, value]) => isPart(key, value)).map((part) => part.join('='))
  return [pathname.replace(/\/\d+/g, '/#'), ...parts.toSorted()].join(' ')
}

/**
 * What there is to see at a place: its page, each of its parts that is open, each thing that is chosen. One record of a kind
 * stands for the rest; and a tab that was seen need not be seen again beside every other choice.
 */
function sightsOf(place: string): string[] {
  const { pathname, searchParams } = new URL(place, 'http://limber')
  const page = pathname.replace(/\/\d+/g, '/#')
  return [page, ...[...searchParams].map(([key, value]) => `${page} ${isPart(key, value) ? `${key}=${value}` : key}`)]
}

/**
 * Walks every place that somebody can reach by links, opens what opens, and looks at each state in every view.
 * Gives everything that is wrong, each with the place where it was found.
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
      // The page is the same in both themes but for its colours.
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
    // The router hears of it.
    if (isBrief) await page.evaluate((place) => history.pushState({}, '', place), path)
    else await page.goto(path)
    await settle()
  }

  /** Back to how the page stood; loads it again only if it stands otherwise. */
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

  /** Takes one step after the other, from the page as it stood. */
  async function takeAll({ path, stood, within }: Start, steps: readonly Opening[]) {
    await goBack(path, stood)
    let outcome: Awaited<ReturnType<typeof take>> = 'gone'
    for (const [place, step] of steps.entries()) {
      outcome = await take(step, place === 0 ? within : 'top')
      if (outcome !== 'opened') break
    }
    return outcome
  }

  /** How long the page was busy after the last step, if it was so each time. */
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

  /** Looks at what has opened, unless it is a place of its own: then it is visited by itself, once. */
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

  /** What opens in what was opened: the items of a menu, the tabs of a dialog, the buttons of a tab. */
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
  /** Puts a place on the list, unless all that it shows stands there. */
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
    // Details of a list stand behind its address; whoever only looks at the screens leaves them shut.
    for (const link of links) remember(opens ? placeOf(new URL(link)) : new URL(link).pathname)
    counts.screens += 1
    await lookAt(path, views)
    if (!opens) continue
    if (path === first) await openByKeys(path)
    await openAll(path, path === first ? 'body' : 'main')
  }
  return { faults: [...faults], ...counts }
}
