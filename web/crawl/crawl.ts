// npm run crawl [-- --role Owner] [--only /support] [--out folder] [--no-openings]: walks the product as each role, and looks at everything.
import { chromium } from '@playwright/test'
import { findBrowser, WITH_WEBGL } from '../../scripts/browser.ts'
import { startLimber } from '../tests/limber.ts'
import { preparePages } from '../tests/pages.ts'
import { makeAlbum } from './album.ts'
import { type View, walk } from './walk.ts'

const ROLES = ['Owner', 'Operations', 'Support Lead', 'Support Agent', 'Marketing', 'Growth', 'Finance', 'Tech']
const EVERY_VIEW: View[] = ([1440, 768, 390] as const).flatMap((width) => [
  { width, theme: 'light' as const },
  { width, theme: 'dark' as const },
])
const TWO_VIEWS: View[] = [
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
]

const optionOf = (flag: string) => {
  const place = process.argv.indexOf(flag)
  return place < 0 ? undefined : process.argv[place + 1]
}

const say = (line: string) => process.stdout.write(`${line}\n`)
const wanted = optionOf('--role')
const only = optionOf('--only')
const folder = optionOf('--out') ?? 'test-results/crawl'
const roles = wanted ? ROLES.filter((role) => role === wanted) : ROLES
if (roles.length === 0) throw new Error(`There is no role ${wanted}. There are: ${ROLES.join(', ')}.`)

const { executablePath, args } = await findBrowser(say)
const removePages = await preparePages()
const limber = await startLimber('sample')
const browser = await chromium.launch({ executablePath, args: [...args, ...WITH_WEBGL] })
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
  await door.goto(limber.link)
  await door.waitForURL((url) => !url.pathname.startsWith('/sample-door'))
  await door.close()
  for (const role of roles) {
    await limber.become(role)
    const page = await context.newPage()
    const isOwner = role === 'Owner'
    const opens = isOwner && !process.argv.includes('--no-openings')
    const found = await walk(page, {
      role,
      views: isOwner ? EVERY_VIEW : TWO_VIEWS,
      opens,
      album,
      ...(only && { only }),
    })
    say(`${role}: ${found.screens} screens, ${found.states} states, ${found.faults.length} faults`)
    for (const fault of found.faults) say(`  ${fault}`)
    faults += found.faults.length
    await page.close()
  }
} finally {
  await album.close()
  await browser.close()
  await limber.stop()
  await removePages()
}
say(`${album.count} pictures in ${folder}; ${faults} faults`)
process.exitCode = faults > 0 ? 1 : 0
