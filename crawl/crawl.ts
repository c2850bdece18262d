// npm run crawl [-- --role Owner,Tech] [--empty] [--only /support] [--out folder] [--quick] [--no-openings] [--no-map]
// [--no-pace]
// Visits every screen as each role and checks it. --empty visits a company without data, as its first Owner. --quick uses
// two of six views. --no-map turns WebGL off, which slows
// down every page on machines without a graphics card.
import { chromium } from '@playwright/test'
import { findBrowser, WITH_WEBGL, WITHOUT_WEBGL } from '../scripts/browser.ts'
import { onboard, signIn } from '../web/tests/access-steps.ts'
import { Person } from '../web/tests/journey.ts'
import { startLimber } from '../web/tests/limber.ts'
import { openMailbox } from '../web/tests/mailbox.ts'
import { preparePages } from '../web/tests/pages.ts'
import { Authenticator } from '../web/tests/proofs.ts'
import { makeAlbum } from './album.ts'
import { type View, walk } from './walk.ts'

const ROLES = ['Owner', 'Operations', 'Support Lead', 'Support Agent', 'Marketing', 'Growth', 'Finance', 'Tech']
const EVERY_VIEW: View[] = ([1440, 768, 390] as const).flatMap((width) => [
  { width, theme: 'light' as const },
  { width, theme: 'dark' as const },
])
const ONE_VIEW: View[] = [{ width: 1440, theme: 'light' }]
const TWO_VIEWS: View[] = [...ONE_VIEW, { width: 390, theme: 'dark' }]

const optionOf = (flag: string) => {
  const place = process.argv.indexOf(flag)
  return place < 0 ? undefined : process.argv[place + 1]
}

const say = (line: string) => process.stdout.write(`${line}\n`)
const isAsked = (flag: string) => process.argv.includes(flag)
const wanted = optionOf('--role')?.split(',')
const only = optionOf('--only')
const folder = optionOf('--out') ?? 'test-results/crawl'
const isEmpty = isAsked('--empty')
const roles = wanted ?? (isEmpty ? ['Owner'] : ROLES)
const unknown = roles.filter((role) => !ROLES.includes(role))
if (unknown.length > 0) throw new Error(`Unknown role: ${unknown.join(', ')}. Available: ${ROLES.join(', ')}.`)

const { executablePath, args } = await findBrowser(say)
const removePages = await preparePages()
const mailbox = await openMailbox()
const limber = await (isEmpty ? startLimber('own', mailbox) : startLimber('sample'))
const browser = await chromium.launch({
  executablePath,
  args: [...args, ...(isAsked('--no-map') ? WITHOUT_WEBGL : WITH_WEBGL)],
})
const album = makeAlbum(folder)
let faults = 0
try {
  const context = await browser.newContext({
    baseURL: limber.url,
    locale: 'en-US',
    timezoneId: 'America/Los_Angeles',
    viewport: { width: 1440, height: 900 },
  })
  const door = await context.newPage()
  if (isEmpty) {
    await Authenticator.attach(door)
    const owner = new Person(door)
    const { app } = await onboard(owner, limber.link)
    await signIn(owner, 'owner@example.com', { app, limber, mailbox })
  } else {
    await door.goto(limber.link)
    await door.waitForURL((url) => !url.pathname.startsWith('/sample-door'))
  }
  await door.close()
  for (const role of roles) {
    if (!isEmpty) await limber.switchRole(role)
    const page = await context.newPage()
    // A headless browser crashes on a passkey prompt without a virtual authenticator.
    await Authenticator.attach(page)
    // The Owner sees everything, so all views are checked as Owner. Other roles differ in content, not in layout.
    const isOwner = role === 'Owner'
    const views = isOwner && !isAsked('--quick') ? EVERY_VIEW : TWO_VIEWS
    const found = await walk(page, {
      role,
      views,
      openViews: isAsked('--no-openings') ? [] : isOwner ? views : ONE_VIEW,
      album,
      isPaced: !isAsked('--no-pace'),
      tell: (fault) => say(`  ${fault}`),
      ...(only && { only }),
    })
    say(`${role}: ${found.screens} screens, ${found.states} states, ${found.faults.length} faults`)
    faults += found.faults.length
    await page.close()
  }
} finally {
  await album.close()
  await browser.close()
  await limber.stop()
  await mailbox.close()
  await removePages()
}
say(`${album.count} screenshots in ${folder}; ${faults} faults`)
process.exitCode = faults > 0 ? 1 : 0
