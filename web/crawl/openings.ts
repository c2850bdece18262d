import type { Page } from '@playwright/test'

/** These act at once, leave the page or hand over a file: they are tried by the journeys. */
const ACTS_AT_ONCE =
  /^(sign out|save|submit|send|add|create|run now|check now|back up now|verify|retry|refresh|resume|export|download|copy|print|upload|choose|mark |fix |undo|apply|start|sync)|csv|pdf/i

export interface Opening {
  /** The same for all rows of a list: one of them stands for the rest. */
  key: string
  name: string
}

/** The controls of the page that might open something: tabs, menus, buttons, rows. */
export async function findOpenings(page: Page): Promise<Opening[]> {
  const found = await page.evaluate(() => {
    const list: Array<{ key: string; name: string }> = []
    const seen = new Set<string>()
    const within = document.querySelector('main') ?? document.body
    for (const control of within.querySelectorAll<HTMLElement>(
      'button, [role=tab], summary, tr[tabindex], [role=row][tabindex]',
    )) {
      if (!control.checkVisibility() || control.matches(':disabled, [aria-disabled=true]')) continue
      const name = (control.getAttribute('aria-label') ?? control.innerText).trim().replace(/\s+/g, ' ')
      const row = control.closest('tr, li, article, [role=row], [role=listitem], [role=option]')
      const plain = name.replace(/\d+/g, '#')
      const key = row ? `${row.tagName} ${control.className}` : `${control.tagName} ${plain}`
      if (seen.has(key)) continue
      seen.add(key)
      control.dataset.crawl = key
      list.push({ key, name: name.slice(0, 60) })
    }
    return list
  })
  return found.filter(({ name }) => !ACTS_AT_ONCE.test(name))
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
