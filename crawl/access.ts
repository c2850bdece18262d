import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'

const SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The slowest rule of axe, and the only one that depends on the theme. */
export const CONTRAST = 'color-contrast'

interface AccessOptions {
  /** Run only this rule. */
  only?: string
  /** Run all rules except this one. */
  without?: string
}

/** Accessibility violations on the page. */
export async function judgeAccess(page: Page, { only, without }: AccessOptions = {}): Promise<string[]> {
  // axe is large; a page that was not reloaded still has it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${SOURCE}; 0`)
  // Without this, axe also reports all passes, which takes half as long again.
  const options: RunOptions = {
    resultTypes: ['violations'],
    // Sandboxed frames run no scripts, so axe would wait in vain for its reply.
    iframes: false,
    ...(only && { runOnly: { type: 'rule', values: [only] } }),
    // WCAG 2.2: 24 pixels, or room around it. axe does not check it by itself.
    rules: { 'target-size': { enabled: true }, ...(without && { [without]: { enabled: false } }) },
  }
  const violations = await page.evaluate(async (wanted) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const result = await axe.run({ exclude: [['iframe[sandbox]']] }, wanted)
    /** Not scrolled half under another part, which would make it small for the moment. */
    const isWhole = (target: string) => {
      const element = document.querySelector(target)
      if (!element) return true
      const { left, right, top, bottom } = element.getBoundingClientRect()
      const edges = [top + 1, bottom - 1].map((y) => document.elementFromPoint((left + right) / 2, y))
      return edges.every((edge) => edge === null || element.contains(edge))
    }
    return result.violations.map(({ id, nodes }) => {
      const targets = nodes.map(({ target }) => target.join(' '))
      return { id, targets: id === 'target-size' ? targets.filter(isWhole) : targets }
    })
  }, options)
  // Menus are rendered outside the page regions on purpose.
  const isOfMenu = (target: string) => target.includes('[role="menuitem"]')
  return violations.flatMap(({ id, targets }) => {
    const wrong = id === 'region' ? targets.filter((target) => !isOfMenu(target)) : targets
    return wrong.length > 0 ? [`${id}: ${wrong.join(', ')}`] : []
  })
}
