import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'

const SOURCE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The rule of axe that takes most of its time, and the only one that the theme matters to. */
export const CONTRAST = 'color-contrast'

interface AccessOptions {
  /** Only this rule. */
  only?: string
  /** All but this rule. */
  without?: string
}

/** What somebody who cannot see or point would stumble over. */
export async function judgeAccess(page: Page, { only, without }: AccessOptions = {}): Promise<string[]> {
  // Large as it is, a page that goes on without being loaded anew keeps it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(`${SOURCE}; 0`)
  // The places of all that is right, which nobody reads, would take it half as long again.
  const options: RunOptions = {
    resultTypes: ['violations'],
    // There are no frames of strangers; in a sandboxed one no script runs, and axe would wait there for its own answer.
    iframes: false,
    ...(only && { runOnly: { type: 'rule', values: [only] } }),
    ...(without && { rules: { [without]: { enabled: false } } }),
  }
  const violations = await page.evaluate(async (wanted) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') }
    const result = await axe.run({ exclude: [['iframe[sandbox]']] }, wanted)
    return result.violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target.join(' ')) }))
  }, options)
  // A menu floats above the parts of the page, and belongs to the button that opened it.
  const isOfMenu = (target: string) => target.includes('[role="menuitem"]')
  return violations.flatMap(({ id, targets }) => {
    const wrong = id === 'region' ? targets.filter((target) => !isOfMenu(target)) : targets
    return wrong.length > 0 ? [`${id}: ${wrong.join(', ')}`] : []
  })
}
