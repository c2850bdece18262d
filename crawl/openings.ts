import type { Page } from '@playwright/test'

/** These act at once, leave the page or download a file. The browser tests cover them. */
const ACTS_AT_ONCE =
  /^(sign out|save\b|submit|send|run now|check now|back up now|verify|retry|refresh|resume|archive|restore|import|export|download|copy|print|upload|choose|mark |fix |undo|apply|start|sync|schedule$|close$|cancel$)|csv|pdf/i
/** Inside a form these submit it; elsewhere they open one. */
const SENDS_A_FORM = /^(add|create|new)\b/i
/** How many kinds of similar buttons are tried in list rows. */
const MAX_IN_ROWS = 4

const LAYERS = '[role=dialog], [role=alertdialog], [role=menu]'
const CONTROLS = 'button, [role=tab], [role=menuitem], summary, tr[tabindex], [role=row][tabindex]'
/** A plain button in a layer may submit it. Only these declare that they open something. */
const OPENERS = ':is([role=tab], [role=menuitem], [aria-haspopup], [aria-expanded], summary):not(input)'

export interface Opening {
  /** The same for all rows of a list, so that only one is tried. */
  key: string
  name: string
  isSubmit: boolean
}

/** Where to search: in the page, including the top bar, or in the top layer if there is one. */
export type Within = 'main' | 'body' | 'top'

/** Controls that might open something: tabs, menus, buttons, rows. */
export async function findOpenings(page: Page, place: Within): Promise<Opening[]> {
  const found = await page.evaluate(
    ([within, layers, controls, openers, mostInRows]) => {
      const list: Opening[] = []
      const seen = new Set<string>()
      const looks = new Map<string, number>()
      // Controls under a layer cannot be clicked.
      const top = [...document.querySelectorAll(layers)].findLast((layer) => layer.checkVisibility())
      const part = top ?? (within === 'body' ? null : document.querySelector('main')) ?? document.body
      const selector = top && within === 'top' ? openers : controls
      for (const control of part.querySelectorAll<HTMLElement>(selector)) {
        // Skips the open tab and selected options.
        const rests = control.matches(
          ':disabled, [aria-disabled=true], [role=tab][aria-selected=true], [role=group] > [aria-pressed=true]',
        )
        if (rests || !control.checkVisibility()) continue
        const name = (control.getAttribute('aria-label') ?? control.innerText).trim().replace(/\s+/g, ' ')
        const row = control.closest('tr, li, article, [role=row], [role=listitem], [role=option]')
        // All rows are focusable; only clickable ones have a pointer cursor.
        if (row === control && getComputedStyle(control).cursor !== 'pointer') continue
        const plain = name.replace(/\d+/g, '#')
        // Row buttons share a class, so their first word distinguishes them.
        const look = `${row?.tagName} ${control.className}`
        const verb = row === control ? '' : plain.split(' ')[0]
        const key = row ? `${look} ${verb}` : `${control.tagName} ${plain}`
        if (seen.has(key)) continue
        if (row && (looks.get(look) ?? 0) >= mostInRows) continue
        looks.set(look, (looks.get(look) ?? 0) + 1)
        seen.add(key)
        control.dataset.crawl = key
        const isSubmit = control.matches('form [type=submit], [type=submit][form]')
        list.push({ key, name: name.slice(0, 60), isSubmit })
      }
      return list
    },
    [place, LAYERS, CONTROLS, OPENERS, MAX_IN_ROWS] as const,
  )
  return found.filter(({ name, isSubmit }) => !ACTS_AT_ONCE.test(name) && !(isSubmit && SENDS_A_FORM.test(name)))
}

/** The open dialogs, drawers and menus by kind and heading, top one last. */
const layersOf = (page: Page) =>
  page.evaluate(
    (layers) =>
      [...document.querySelectorAll(layers)]
        .filter((layer) => layer.checkVisibility())
        .map((layer) => `${layer.role} ${layer.querySelector('h1, h2, h3')?.textContent}`),
    LAYERS,
  )

export const countLayers = async (page: Page) => (await layersOf(page)).length

/** Everything that a click could change, except the focus. */
export const signature = (page: Page) =>
  page.evaluate(() => {
    const marks = [
      'aria-expanded',
      'aria-selected',
      'aria-pressed',
      'aria-sort',
      'aria-current',
      'aria-checked',
      'open',
    ]
    const said = [...document.querySelectorAll(marks.map((mark) => `[${mark}]`).join())].map((each) =>
      marks.map((mark) => each.getAttribute(mark)).join(),
    )
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea, select')].map((each) => each.value)
    return [location.href, document.body.innerText, said.join(';'), fields.join(';')].join('\n')
  })

const focused = (page: Page) => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))

const WAITS = 3000
const HASTE = 400
const MAX_ESCAPES = 4

/** Clicks a control, and tells whether anything changed. */
export async function open(page: Page, { key }: Opening): Promise<'opened' | 'gone' | 'nothing'> {
  const control = page.locator(`[data-crawl=${JSON.stringify(key)}]`).first()
  if ((await control.count()) === 0) return 'gone'
  // Focuses first, because a focus change alone does not count as a reaction.
  await control.focus().catch(() => {})
  const before = [await signature(page), await focused(page)].join()
  const isClicked = await control.click({ timeout: WAITS }).then(
    () => true,
    () => false,
  )
  if (!isClicked) return 'gone'
  const end = Date.now() + WAITS
  do {
    await page.waitForTimeout(40)
    if ([await signature(page), await focused(page)].join() !== before) return 'opened'
  } while (Date.now() < end)
  return 'nothing'
}

/**
 * Checks that Escape closes only the top layer and returns the focus to its opener. A layer with unsaved input may ask
 * first. Returns the faults.
 */
export async function closeByEscape(page: Page, opener: 'control' | 'key' = 'control'): Promise<string[]> {
  const before = await layersOf(page)
  if (before.length === 0) return []
  // An editor uses the first Escape itself, to clear a selection or close suggestions.
  let spare = (await page.evaluate(() => (document.activeElement as HTMLElement | null)?.isContentEditable)) ? 1 : 0
  let left = before
  let isLost = opener === 'control'
  let isLast = false
  for (let presses = 1; !isLast && left.join() === before.join(); presses += 1) {
    // So does a tooltip, which may appear late.
    const isNamed = (await page.locator('[role=tooltip]:visible').count()) > 0
    isLast = presses === MAX_ESCAPES || (!isNamed && spare === 0)
    if (!isNamed) spare -= 1
    await page.keyboard.press('Escape')
    const end = Date.now() + (isLast ? WAITS : HASTE)
    do {
      await page.waitForTimeout(40)
      left = await layersOf(page)
      isLost &&= await page.evaluate(() => document.activeElement === document.body)
    } while (Date.now() < end && (left.join() === before.join() || isLost))
  }
  if (left.join() === before.join()) return ['Escape does not close it']
  if (left.length < before.length - 1) return [`Escape closes ${before.length - left.length} layers`]
  return isLost ? ['Escape loses the focus'] : []
}
