import type { Page } from '@playwright/test'

/** These act at once, leave the page or hand over a file: they are tried by the journeys. */
const ACTS_AT_ONCE =
  /^(sign out|save|submit|send|run now|check now|back up now|verify|retry|refresh|resume|archive|restore|import|export|download|copy|print|upload|choose|mark |fix |undo|apply|start|sync|schedule$|close$|cancel$)|csv|pdf/i
/** These send the form that they stand in; anywhere else they open one. */
const SENDS_A_FORM = /^(add|create|new)\b/i
/** How many kinds of buttons of one look are tried in the rows of a list. */
const MOST_IN_ROWS = 4

export interface Opening {
  /** The same for all rows of a list: one of them stands for the rest. */
  key: string
  name: string
  isSubmit: boolean
}

/** The controls of the page that might open something: tabs, menus, buttons, rows. */
export async function findOpenings(page: Page): Promise<Opening[]> {
  const found = await page.evaluate((mostInRows) => {
    const list: Opening[] = []
    const seen = new Set<string>()
    const looks = new Map<string, number>()
    // What lies under a dialog cannot be reached.
    const layers = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')]
    const top = layers.findLast((layer) => layer.checkVisibility())
    const within = top ?? document.querySelector('main') ?? document.body
    for (const control of within.querySelectorAll<HTMLElement>(
      'button, [role=tab], summary, tr[tabindex], [role=row][tabindex]',
    )) {
      if (!control.checkVisibility() || control.matches(':disabled, [aria-disabled=true]')) continue
      const name = (control.getAttribute('aria-label') ?? control.innerText).trim().replace(/\s+/g, ' ')
      const row = control.closest('tr, li, article, [role=row], [role=listitem], [role=option]')
      // Every row can be walked to; those that open something show it.
      if (row === control && getComputedStyle(control).cursor !== 'pointer') continue
      const plain = name.replace(/\d+/g, '#')
      // View, Edit and Delete of a row look alike: their first word tells them apart, a row itself has none.
      const look = `${row?.tagName} ${control.className}`
      const verb = row === control ? '' : plain.split(' ')[0]
      const key = row ? `${look} ${verb}` : `${control.tagName} ${plain}`
      if (seen.has(key)) continue
      if (row && (looks.get(look) ?? 0) >= mostInRows) continue
      looks.set(look, (looks.get(look) ?? 0) + 1)
      seen.add(key)
      control.dataset.crawl = key
      list.push({ key, name: name.slice(0, 60), isSubmit: control.matches('form [type=submit], [type=submit][form]') })
    }
    return list
  }, MOST_IN_ROWS)
  return found.filter(({ name, isSubmit }) => !ACTS_AT_ONCE.test(name) && !(isSubmit && SENDS_A_FORM.test(name)))
}

/** Everything about the page that a click could change. */
const signature = (page: Page) =>
  page.evaluate(() => {
    const states = [
      ...document.querySelectorAll('[aria-expanded], [aria-selected], [aria-pressed], [aria-sort], [open]'),
    ]
    const said = states.map((each) =>
      ['aria-expanded', 'aria-selected', 'aria-pressed', 'aria-sort', 'open']
        .map((name) => each.getAttribute(name))
        .join(),
    )
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea, select')].map((each) => each.value)
    const focus = document.activeElement?.outerHTML.slice(0, 200)
    return [location.href, document.body.innerText, said.join(';'), fields.join(';'), focus].join('\n')
  })

/** Clicks, and says whether anything came of it. */
export async function open(page: Page, { key }: Opening): Promise<'opened' | 'gone' | 'nothing'> {
  const control = page.locator(`[data-crawl=${JSON.stringify(key)}]`).first()
  if ((await control.count()) === 0) return 'gone'
  // The focus moves with the click itself, which is not yet an answer.
  await control.focus().catch(() => {})
  const before = await signature(page)
  const isClicked = await control.click({ timeout: 3000 }).then(
    () => true,
    () => false,
  )
  if (!isClicked) return 'gone'
  for (let tries = 0; tries < 12; tries += 1) {
    await page.waitForTimeout(100)
    if ((await signature(page)) !== before) return 'opened'
  }
  return 'nothing'
}
