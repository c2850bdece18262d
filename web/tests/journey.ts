import { type Browser, test as base, expect, type Page } from '@playwright/test'
import { CONTRAST, judgeAccess } from '../../crawl/access.ts'
import { judgeContrast } from '../../crawl/contrast.ts'
import { type Limber, startLimber } from './limber.ts'
import { type Mailbox, openMailbox } from './mailbox.ts'

export { expect }

interface Refused {
  status: number
  path: string
}

const seen = new Set<string>()

export const isFirefox = (page: Page) => page.context().browser()?.browserType().name() === 'firefox'

/** A person with their own browser. Any error on the page fails the journey. */
export class Person {
  readonly page: Page
  private readonly errors: string[] = []
  private readonly expected: Refused[] = [{ status: 401, path: '/api/auth/check' }]
  private readonly blocked: string[] = []

  constructor(page: Page) {
    this.page = page
    page.on('pageerror', ({ message }) => {
      // Firefox says so about live updates when a page is left, and about what is reported below.
      if (/interrupted while the page was loading|^The page’s settings blocked/.test(message)) return
      this.errors.push(`page error: ${message}`)
    })
    page.on('console', (message) => {
      // Refused requests are logged here too; they are checked below, where their status is known.
      const isRequest = message.text().startsWith('Failed to load resource')
      const isBlocked = this.blocked.some((part) => message.text().includes(part))
      if (message.type() === 'error' && !isRequest && !isBlocked) this.errors.push(`console: ${message.text()}`)
    })
    page.on('requestfailed', (request) => {
      // Leaving a page cancels its requests.
      const reason = request.failure()?.errorText ?? ''
      const isBlocked = this.blocked.some((address) => request.url().startsWith(address))
      if (!isBlocked && !['net::ERR_ABORTED', 'NS_BINDING_ABORTED'].includes(reason))
        this.errors.push(`${reason}: ${request.method()} ${request.url()}`)
    })
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      const isExpected = this.expected.some(({ status, path }) => status === response.status() && pathname === path)
      if (response.status() >= 400 && !isExpected) {
        this.errors.push(`${response.status()}: ${response.request().method()} ${pathname}`)
      }
    })
  }

  static async open(browser: Browser, options: Parameters<Browser['newContext']>[0] = {}): Promise<Person> {
    // Without animations, clicks do not wait for the target to stop moving.
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
    // A page that violates its own policy, for example with `eval`, would hide reports of real attacks.
    await context.addInitScript(() =>
      addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => {
        // Playwright's own code in Firefox.
        if (/%20eval$/.test(sourceFile)) return
        reportError(new Error(`forbidden by the policy: ${effectiveDirective} ${blockedURI}`))
      }),
    )
    return new Person(await context.newPage())
  }

  /** From now on this status is allowed for the path. */
  expects(status: number, path: string): void {
    this.expected.push({ status, path })
  }

  /** From now on the browser may block requests to this address. */
  expectsBlocked(address: string): void {
    // A frame without scripts blocks the listener of `open`, too, which would hear of it.
    this.blocked.push(address, 'Blocked script execution in')
  }

  /** Checks a screen once, even if several journeys visit it. */
  async checkScreenOnce(screen: string): Promise<void> {
    if (seen.has(screen)) return
    seen.add(screen)
    await this.checkScreen()
  }

  /** Checks accessibility, contrast in both themes, and that the page logged no errors. */
  async checkScreen(): Promise<void> {
    // Wait until the screen has loaded.
    for (const part of ['main', 'h1']) await expect(this.page.locator(part).first()).toBeAttached()
    expect(this.errors).toEqual([])
    // The rules are about the page, not the browser, and their code ends Firefox's process now and then.
    if (isFirefox(this.page)) return
    for (const colorScheme of ['dark', 'light'] as const) {
      await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await judgeContrast(this.page), this.page.url()).toEqual([])
    }
    expect(await judgeAccess(this.page, { without: CONTRAST }), this.page.url()).toEqual([])
    expect(this.errors).toEqual([])
  }

  async leave(): Promise<void> {
    await this.page.context().close()
    expect(this.errors).toEqual([])
  }
}

/** Opens the sample company's link and waits for the shell. */
export async function openSample(page: Page, { link }: Limber): Promise<void> {
  await page.goto(link)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible({ timeout: 60_000 })
}

interface Company {
  limber: Limber
  mailbox: Mailbox
}

interface Shared {
  /** An empty company whose email arrives in the mailbox. */
  own: Company
}

interface Fixtures {
  /** The sample company; its email arrives in the mailbox. Its link works once, so each journey has its own. */
  sample: Limber & { mailbox: Mailbox }
}

export const test = base.extend<Fixtures, Shared>({
  own: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the required fixtures from this pattern
    async ({}, use) => {
      const mailbox = await openMailbox()
      const limber = await startLimber('own', mailbox)
      await use({ limber, mailbox })
      await limber.stop()
      await mailbox.close()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  sample: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the required fixtures from this pattern
    async ({}, use) => {
      const mailbox = await openMailbox()
      const limber = await startLimber('sample', mailbox)
      await use({ ...limber, mailbox })
      await limber.stop()
      await mailbox.close()
    },
    { timeout: 300_000 },
  ],
})
