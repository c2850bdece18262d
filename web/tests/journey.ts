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

/** A person at a browser of their own. Whatever the page complains about fails the journey. */
export class Person {
  readonly page: Page
  private readonly complaints: string[] = []
  private readonly expected: Refused[] = [{ status: 401, path: '/api/auth/check' }]

  constructor(page: Page) {
    this.page = page
    page.on('pageerror', (error) => this.complaints.push(`page error: ${error.message}`))
    page.on('console', (message) => {
      // The browser logs each refused request here too; those are judged below, where their status is known.
      const isRequest = message.text().startsWith('Failed to load resource')
      if (message.type() === 'error' && !isRequest) this.complaints.push(`console: ${message.text()}`)
    })
    page.on('requestfailed', (request) => {
      // A page that is left cancels what it was reading.
      const reason = request.failure()?.errorText ?? ''
      if (reason !== 'net::ERR_ABORTED') this.complaints.push(`${reason}: ${request.method()} ${request.url()}`)
    })
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      const isExpected = this.expected.some(({ status, path }) => status === response.status() && pathname === path)
      if (response.status() >= 400 && !isExpected) {
        this.complaints.push(`${response.status()}: ${response.request().method()} ${pathname}`)
      }
    })
  }

  static async arrive(browser: Browser, options: Parameters<Browser['newContext']>[0] = {}): Promise<Person> {
    // Nothing moves: a click need not wait until what it aims at stands still.
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
    // A page that tries what its policy forbids, `eval` among it, would fill the reports of real attacks.
    await context.addInitScript(() =>
      addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
        reportError(new Error(`forbidden by the policy: ${effectiveDirective} ${blockedURI}`)),
      ),
    )
    return new Person(await context.newPage())
  }

  /** From now on the server may answer a path so. */
  expects(status: number, path: string): void {
    this.expected.push({ status, path })
  }

  /** Screens that were looked at before, under another name, need no second look. */
  async looksRightOnce(screen: string): Promise<void> {
    if (seen.has(screen)) return
    seen.add(screen)
    await this.looksRight()
  }

  /** Nothing to complain about for anybody who cannot see or point; the themes differ only by their colours, which are judged in both. */
  async looksRight(): Promise<void> {
    // What is still being fetched cannot be judged.
    for (const part of ['main', 'h1']) await expect(this.page.locator(part).first()).toBeAttached()
    for (const colorScheme of ['dark', 'light'] as const) {
      await this.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      expect(await judgeContrast(this.page), this.page.url()).toEqual([])
    }
    expect(await judgeAccess(this.page, { without: CONTRAST }), this.page.url()).toEqual([])
    expect(this.complaints).toEqual([])
  }

  async leave(): Promise<void> {
    await this.page.context().close()
    expect(this.complaints).toEqual([])
  }
}

/** Through the visitor's door of the sample company, until the shell stands. */
export async function comeIn(page: Page, { link }: Limber): Promise<void> {
  await page.goto(link)
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible({ timeout: 60_000 })
}

interface Company {
  limber: Limber
  mailbox: Mailbox
}

interface Fixtures {
  /** An empty company, whose mails arrive in the mailbox. */
  own: Company
  /** The sample company, whose door is open once and whose mails arrive in its mailbox. */
  sample: Limber & { mailbox: Mailbox }
}

export const test = base.extend<object, Fixtures>({
  own: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
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
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here
    async ({}, use) => {
      const mailbox = await openMailbox()
      const limber = await startLimber('sample', mailbox)
      await use({ ...limber, mailbox })
      await limber.stop()
      await mailbox.close()
    },
    { scope: 'worker', timeout: 300_000 },
  ],
})
