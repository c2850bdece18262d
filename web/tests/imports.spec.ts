import { readFile } from 'node:fs/promises'
import { csvLine } from '@limber/contract/kit/csv.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { Download, Page } from '@playwright/test'
import { expect, openSample, Person, test } from './journey.ts'

// The long form has the size of a company that moves in.
const isLong = process.env.LIMBER_ROUNDS === 'many'
const ROWS = isLong ? 100_000 : 300
const BAD = isLong ? 1_200 : 12
const KNOWN = 5
// Allows for a busy machine.
const PATIENCE = isLong ? 1_800_000 : 900_000
const STEP = isLong ? 900_000 : 60_000

const HEAD = ['ClientID', 'FirstName', 'LastName', 'Email', 'MobilePhone', 'CreationDate', 'City', 'Loyalty', 'Notes']
const EMAIL = HEAD.indexOf('Email')
const JOINED = HEAD.indexOf('CreationDate')

interface Customer {
  name: string
  email: string
}

/** Every so often a row has an address or a date that cannot be read. The first rows are about customers that exist. */
function makeRows(known: readonly Customer[]): string[][] {
  const badBefore = (at: number) => Math.floor((at * BAD) / ROWS)
  return Array.from({ length: ROWS }, (_, at) => {
    const { name, email } = known[at] ?? { name: `Client${at} Nakamura-Ortiz`, email: `client${at}@moving.example` }
    const [first = '', ...last] = name.split(' ')
    const isBad = badBefore(at + 1) > badBefore(at)
    const joined = isBad && badBefore(at) % 2 === 0 ? '31/31/2025' : '03/14/2025'
    const address = isBad && joined !== '31/31/2025' ? `client${at} at moving.example` : email
    const phone = `(951) 555-${String(at % 10_000).padStart(4, '0')}`
    return [`mb-${at}`, first, last.join(' '), address, phone, joined, 'Riverside', String(at), '']
  })
}

const fileOf = (name: string, rows: readonly (readonly string[])[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(rows.map((row) => csvLine(row)).join('')),
})

async function readDownload(download: Download): Promise<string[][]> {
  const text = await readFile(await download.path(), 'utf8')
  // No cell of these files has a quote.
  return text
    .replace('\ufeff', '')
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(','))
}

async function findCustomers(page: Page, search = ''): Promise<Customer[]> {
  const query = new URLSearchParams({ search, living: 'yes' })
  const reply = await page.request.get(`/api/support/users?${query}`)
  return ((await reply.json()) as { users: Customer[] }).users
}

test('customers of another product are checked, imported, corrected and taken back', async ({ browser, sample }) => {
  test.setTimeout(PATIENCE)
  const owner = await Person.open(browser, { baseURL: sample.url })
  const { page } = owner
  await openSample(page, sample)
  const known = (await findCustomers(page)).slice(0, KNOWN)
  const rows = makeRows(known)
  const results = page.getByRole('region', { name: 'Filter by result' })
  const expectCounts = async (counts: Record<string, number>) => {
    for (const [label, count] of Object.entries(counts))
      await expect(results.getByRole('button', { name: new RegExp(`^${label} ?${formatInteger(count)}`) })).toBeVisible(
        { timeout: STEP },
      )
  }
  const upload = async (file: ReturnType<typeof fileOf>) => {
    await page.goto('/worker/import?kind=customers')
    await page.getByLabel('CSV file').setInputFiles(file)
    await expect(page.getByText(file.name)).toBeVisible({ timeout: STEP })
    await expect(page.getByRole('radio', { name: /^Mindbody clients/ })).toBeChecked()
    await page.getByRole('button', { name: 'Match columns' }).click()
    await page.getByLabel('Loyalty goes to').selectOption({ label: 'Points' })
  }
  const file = fileOf('mindbody-clients.csv', [HEAD, ...rows])
  let first = ''

  await test.step('the columns of the export are known; one is matched by hand', async () => {
    await upload(file)
    await expect(page.getByText('8 of 9 columns are matched.')).toBeVisible()
    await owner.checkScreen()
  })

  await test.step('the check counts what would happen, and names why', async () => {
    await page.getByRole('button', { name: `Check ${formatInteger(ROWS)} rows` }).click()
    await expectCounts({ Create: ROWS - BAD - KNOWN, Update: KNOWN, Unchanged: 0, Skipped: 0, Rejected: BAD })
    first = page.url()
    await expect(page.getByRole('button', { name: /^Email is not valid/ })).toBeVisible()
    await owner.checkScreen()
    await results.getByRole('button', { name: /^Update/ }).click()
    await expect(page.getByRole('table').locator('ins').first()).toBeVisible()
  })

  await test.step('it is applied while the page counts', async () => {
    // A small file can be done between two looks, so the page takes down what it shows.
    await page.evaluate(() => {
      const seen: string[] = []
      Object.assign(globalThis, { seen })
      new MutationObserver(() => {
        const heading = document.querySelector('main h2')?.textContent ?? ''
        if (/rows applied$/.test(heading) && seen.at(-1) !== heading) seen.push(heading)
      }).observe(document.body, { childList: true, subtree: true, characterData: true })
    })
    await page.getByRole('button', { name: `Apply ${formatInteger(ROWS - BAD)} changes` }).click()
    await expect(
      page.getByText(`${formatInteger(ROWS - BAD)} of ${formatInteger(ROWS - BAD)} changes were applied.`),
    ).toBeVisible({ timeout: STEP })
    const seen = await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)
    expect(seen.length).toBeGreaterThan(isLong ? 3 : 0)
    await expectCounts({ Created: ROWS - BAD - KNOWN, Updated: KNOWN, Rejected: BAD })
    await owner.checkScreen()
  })

  await test.step('the rejected rows are downloaded, corrected and imported; the others are unchanged', async () => {
    const arriving = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    const [head = [], ...rejected] = await readDownload(await arriving)
    expect(head).toEqual([...HEAD, 'Reason'])
    expect(rejected).toHaveLength(BAD)
    expect(new Set(rejected.map((row) => row.at(-1)))).toEqual(
      new Set(['Email is not valid.', 'Joined is not a date.']),
    )
    const corrected = rejected.map((row) =>
      row.map((cell, at) =>
        at === EMAIL ? cell.replace(' at ', '@') : at === JOINED ? cell.replace('31/31', '03/14') : cell,
      ),
    )
    const bad = new Set(rejected.map(([id]) => id))
    const good = rows.filter(([id]) => !bad.has(id ?? '')).map((row) => [...row, ''])
    await upload(fileOf('corrected.csv', [head, ...good, ...corrected]))
    await page.getByRole('button', { name: `Check ${formatInteger(ROWS)} rows` }).click()
    await expectCounts({ Create: BAD, Update: 0, Unchanged: ROWS - BAD, Skipped: 0, Rejected: 0 })
    await page.getByRole('button', { name: `Apply ${formatInteger(BAD)} changes` }).click()
    await expect(page.getByText(`${formatInteger(BAD)} of ${formatInteger(BAD)} changes were applied.`)).toBeVisible({
      timeout: STEP,
    })
  })

  await test.step('the first import is taken back', async () => {
    await page.goto(first)
    await page.getByRole('button', { name: 'Undo…' }).click()
    const sure = page.getByRole('alertdialog', { name: 'Undo this import?' })
    await sure.getByRole('button', { name: 'Undo import' }).click()
    await expect(page.getByText(`Undone. ${formatInteger(ROWS - BAD)} rows went back.`)).toBeVisible({ timeout: STEP })
    for (const customer of known) expect(await findCustomers(page, customer.email)).toEqual([customer])
    // Those that the second import created stay.
    expect(await findCustomers(page, '@moving.example')).toHaveLength(Math.min(BAD, 20))
  })
  await owner.leave()
})
