// @module-tag slow
import { readBusiness } from '@limber/contract/businesses/business/business.ts'
import {
  checkEmails,
  deleteEmail,
  exportEmails,
  listEmails,
  MAX_UPLOAD,
  readAddress,
  resetEmails,
  updateEmail,
  uploadEmails,
} from '@limber/contract/businesses/emails/allowed-email.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeLog } from '#platform/telemetry/log.ts'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeBusiness } from '../business/business.factory.ts'

/** As long as a list of a large company; `npm run test:long` uploads 100,000. */
const LINES = rounds(40_000, 100_000)

let server: TestServer
let clerk: TestCaller
beforeAll(async () => {
  server = await startTestServer()
  clerk = server.asSteppedUp('businesses.manage')
})
afterAll(() => server.stop())

const createBusinessId = async () => (await makeBusiness(server.db)).id
const upload = (business_id: number, list: string) => clerk.send(uploadEmails, { body: { business_id, list } })
const read = async (business_id: number, more: object = {}) =>
  (await clerk.send(listEmails, { body: { business_id, ...more } })).body
const addresses = async (business_id: number) =>
  (await read(business_id, { limit: 1000 })).emails.map(({ email }) => email)
describe('POST /api/businesses/emails/upload', () => {
  it('adds to the list, folds A to Z, and lists the lines without an address', async () => {
    const id = await createBusinessId()
    const first = await upload(id, ' Ana@Example.com \r\nben@example.com\n\n\nno address\nANA@example.com\n')
    expect(first.body).toEqual({ added: 2, skipped: 1, invalid: 1, invalid_lines: [5] })
    const second = await upload(id, 'ben@example.com\ncleo@example.com')
    expect(second.body).toEqual({ added: 1, skipped: 1, invalid: 0, invalid_lines: [] })
    expect(await addresses(id)).toEqual(['ana@example.com', 'ben@example.com', 'cleo@example.com'])
    expect((await upload(id, '')).body).toEqual({ added: 0, skipped: 0, invalid: 0, invalid_lines: [] })
    const check = await clerk.send(checkEmails, {
      body: { business_id: id, list: 'ben@example.com\ndan@example.com\nx' },
    })
    expect(check.body).toEqual({
      added: 1,
      skipped: 1,
      invalid: 1,
      invalid_lines: [3],
      known: ['ben@example.com'],
    })
    expect((await read(id)).total).toBe(3)
  })

  it(`J14 U1 accepts ${LINES} lines while other requests are served`, {
    timeout: 120_000,
  }, async () => {
    const id = await createBusinessId()
    const lines = Array.from({ length: LINES }, (_, n) => {
      if (n % 20 === 0) return `not an address ${n}`
      if (n % 10 < 3) return `PERSON.${n % 1000}@example.com`
      return `person.${n}@mail${n % 7}.example.com`
    })
    const list = lines.join('\n')
    let isDone = false
    const done = upload(id, list).finally(() => {
      isDone = true
    })
    let answered = 0
    while (!isDone) {
      expect((await clerk.send(readBusiness, { params: { id: String(id) } })).status).toBe(200)
      answered++
      await new Promise((next) => setTimeout(next, 20))
    }
    const { body } = await done
    expect(body.added + body.skipped + body.invalid).toBe(LINES)
    expect([body.invalid, body.invalid_lines.length]).toEqual([LINES / 20, 100])
    const { rows } = await sql<{
      count: number
    }>`select count(*) from business_emails where business_id = ${id}`.execute(server.db)
    expect(rows[0]?.count).toBe(body.added)
    expect(new Set(lines.filter((line) => line.includes('@')).map((line) => line.toLowerCase())).size).toBe(body.added)
    // Other requests were served. The benchmark checks how fast.
    expect(answered).toBeGreaterThan(3)
    const again = await upload(id, list)
    expect(again.body).toMatchObject({ added: 0, invalid: LINES / 20 })
  })
  it('J14 refuses more than 16 MB and binary files; a line of 60 kB is invalid', async () => {
    const id = await createBusinessId()
    const frame = JSON.stringify({ business_id: id, list: '' }).length
    const large = await clerk.send(uploadEmails, {
      body: { business_id: id, list: 'x'.repeat(MAX_UPLOAD - frame + 1) },
    })
    expect(large.status).toBe(413)
    const binary = await upload(id, `\u0089PNG\r\n\u001a\n\u0001\u0002${'a@example.com\n'.repeat(3)}`)
    expect([binary.status, binary.failure.code]).toEqual([422, 'binary'])
    expect((await upload(id, `${'a'.repeat(60_000)}@example.com`)).body).toMatchObject({ added: 0, invalid: 1 })
    expect((await upload(id, '\n'.repeat(1_000_000))).body).toMatchObject({ added: 0, invalid: 0 })
    expect(
      (await clerk.send(uploadEmails, {}, { rawBody: `{"business_id":${id},"list":"a\\u0000@example.com"}` })).status,
    ).toBe(400)
    expect((await upload(999_999, 'a@example.com')).status).toBe(404)
    expect((await read(id)).total).toBe(0)
  })
  it('U2 gives the union of two simultaneous uploads', { timeout: 120_000 }, async () => {
    const id = await createBusinessId()
    const half = LINES / 2
    const part = (from: number) => Array.from({ length: half }, (_, n) => `p${from + n}@example.com`)
    const [a, b] = await Promise.all([
      upload(id, part(0).join('\n')),
      upload(
        id,
        part(half / 2)
          .toReversed()
          .join('\n'),
      ),
    ])
    expect([a.status, b.status]).toEqual([200, 200])
    expect([a.body.skipped + b.body.skipped, a.body.added + b.body.added]).toEqual([half / 2, LINES * 0.75])
    expect((await read(id)).total).toBe(LINES * 0.75)
  })
  it('U4 runs before or after a reset, many times, and never in the middle of one', { timeout: 120_000 }, async () => {
    // More than one slice, so that there is a middle.
    const list = Array.from({ length: 2500 }, (_, n) => `p${n}@example.com`).join('\n')
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        const id = await createBusinessId()
        const reset = () => clerk.send(resetEmails, { body: { business_id: id } })
        let before = 0
        for (let round = 0; round < rounds(3, 10); round++) {
          const early = round % 2 ? reset() : undefined
          const [up, down] = await Promise.all([upload(id, list), early ?? reset()])
          expect([up.status, down.status]).toEqual([200, 200])
          const after = (await read(id, { limit: 1 })).total
          // Reset last: everything is gone. Upload last: only the earlier addresses are gone.
          expect([
            { after: 0, added: 2500 - before, deleted: 2500 },
            { after: 2500, added: 2500, deleted: before },
          ]).toContainEqual({ after, added: up.body.added, deleted: down.body.deleted })
          before = after
        }
      }),
    )
  })
  it('U5 stores nothing of a file but its addresses', async () => {
    const lines: string[] = []
    const log = makeLog('debug', { write: (line) => void lines.push(line) })
    const other = await startTestServer({ log })
    try {
      const { id } = await makeBusiness(other.db)
      const caller = other.as('businesses.manage')
      const list = [
        'SECRET=canary-9f1',
        'ana@example.com',
        'canary-9f1@',
        'DATABASE_URL=postgres://app:canary-9f1@db.example.com:5432/app',
        'smtps://ops:canary-9f1@mail.example.com:465',
        'SENTRY=https://canary-9f1@o1.ingest.example.com/2',
        'PASSWORD=canary-9f1@example.com',
      ].join('\n')
      const reply = await caller.send(
        uploadEmails,
        { body: { business_id: id, list } },
        { headers: { 'idempotency-key': 'canary-test-key' } },
      )
      expect(reply.body).toMatchObject({ added: 1, invalid: 6, invalid_lines: [1, 3, 4, 5, 6, 7] })
      const { rows } = await sql<{
        name: string
      }>`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`.execute(
        other.db,
      )
      for (const { name } of rows) {
        const found = await sql`select from ${sql.table(name)} t where t::text like '%canary-9f1%'`.execute(other.db)
        expect([name, found.rows.length]).toEqual([name, 0])
      }
      expect(lines.join('\n')).not.toContain('canary-9f1')
    } finally {
      await other.stop()
    }
  })
})

describe('allowed emails', () => {
  it('are searched and read in pages', async () => {
    const id = await createBusinessId()
    await upload(id, Array.from({ length: 25 }, (_, n) => `p${String(n).padStart(2, '0')}_x@example.com`).join('\n'))
    const page = await read(id, { page: 2, limit: 10 })
    expect(page.emails.map(({ email }) => email)[0]).toBe('p10_x@example.com')
    expect(page.pagination).toEqual({ page: 2, limit: 10, totalItems: 25, totalPages: 3 })
    const found = await read(id, { search: 'P1' })
    expect([found.pagination.totalItems, found.total]).toEqual([10, 25])
    expect((await read(id, { search: '%' })).emails).toEqual([])
    expect((await read(id, { search: '_x@' })).pagination.totalItems).toBe(25)
    expect((await clerk.send(listEmails, { body: { business_id: id, limit: 1001 } })).status).toBe(400)
  })
  it('can be changed, and refuse invalid, duplicate, stale and deleted addresses', async () => {
    const id = await createBusinessId()
    await upload(id, 'a@example.com\nb@example.com')
    const [a] = (await read(id)).emails
    const email_id = a?.id ?? 0
    const change = (new_email: string, version?: number) =>
      clerk.send(updateEmail, { body: { email_id, new_email, ...(version && { version }) } })
    expect((await change(' C@Example.com ', 1)).body).toEqual({ id: email_id, email: 'c@example.com', version: 2 })
    expect((await change('d@example.com', 1)).failure).toMatchObject({ code: 'stale', current: { version: 2 } })
    const bad = await change('nobody')
    expect([bad.status, bad.failure.error]).toEqual([422, 'Invalid email format.'])
    expect((await change('b@example.com')).failure.code).toBe('taken')
    expect((await clerk.send(deleteEmail, { body: { email_id } })).status).toBe(200)
    expect((await clerk.send(deleteEmail, { body: { email_id } })).status).toBe(404)
    expect((await change('z@example.com')).status).toBe(404)
    expect(await addresses(id)).toEqual(['b@example.com'])
  })
  it('can be reset only with a recent passkey check', async () => {
    const id = await createBusinessId()
    await upload(id, 'a@example.com\nb@example.com')
    const hasty = await server.as('businesses.manage').send(resetEmails, { body: { business_id: id } })
    expect(hasty.failure.code).toBe('step_up_required')
    expect((await clerk.send(resetEmails, { body: { business_id: id } })).body).toEqual({ deleted: 2 })
    expect((await clerk.send(resetEmails, { body: { business_id: 999_999 } })).status).toBe(404)
  })
})

describe('U3 an address', () => {
  const long = (octets: number, filler = 'a') => `${filler.repeat(octets - 12)}@example.com`
  it.each([
    ['ana@example.com', 'ana@example.com'],
    ['  ana@example.com\t', 'ana@example.com'],
    ['ANA@EXAMPLE.COM', 'ana@example.com'],
    ['ana+tag@example.com', 'ana+tag@example.com'],
    ['ana.ruiz@mail.example.com', 'ana.ruiz@mail.example.com'],
    ['Ana.Ruiz+Front-Desk@Mail.EXAMPLE.com', 'ana.ruiz+front-desk@mail.example.com'],
    ["o'neil@example.com", "o'neil@example.com"],
    ['1@2.3', '1@2.3'],
    ['_@example.com', '_@example.com'],
    ['a%b@example.com', 'a%b@example.com'],
    ['ana@[10.0.0.1]', 'ana@[10.0.0.1]'],
    ['ana@a-b.example.com', 'ana@a-b.example.com'],
    ['.ana@example.com', '.ana@example.com'],
    ['\r\nana@example.com\r\n', 'ana@example.com'],
    ['\ufeffana@example.com', 'ana@example.com'],
    ['\u00a0ana@example.com\u2003', 'ana@example.com'],
    ['"ana ruiz"@example.com', undefined],
    ['"ana"@example.com', '"ana"@example.com'],
    ['josé@example.com', 'josé@example.com'],
    ['ana@müller.example', 'ana@müller.example'],
    ['ana@xn--mller-kva.example', 'ana@xn--mller-kva.example'],
    ['\u212A@example.com', '\u212A@example.com'],
    ['İ@example.com', 'İ@example.com'],
    ['\u017f@example.com', '\u017f@example.com'],
    ['JOSÉ@Example.com', 'josÉ@example.com'],
    ['ΑΝΑ@example.com', 'ΑΝΑ@example.com'],
    ['jose\u0301@example.com', 'jose\u0301@example.com'],
    ['用户@例子.公司', '用户@例子.公司'],
    ['ana@ドメイン.example', 'ana@ドメイン.example'],
    ['😀@example.com', '😀@example.com'],
    ['ana@EXAMPLE.РФ', 'ana@example.РФ'],
    [long(254), long(254)],
    [long(255), undefined],
    [`${'é'.repeat(122)}@example.com`, undefined],
    [`${'é'.repeat(121)}@example.com`, `${'é'.repeat(121)}@example.com`],
    [`${'😀'.repeat(60)}@example.com`, `${'😀'.repeat(60)}@example.com`],
    [`${'😀'.repeat(61)}@example.com`, undefined],
    [`${' '.repeat(300)}ana@example.com`, 'ana@example.com'],
    [`${' '.repeat(1100)}ana@example.com`, undefined],
    ['ana', undefined],
    ['ana@example.com,ben@example.com', undefined],
    ['ana@example.com ben@example.com', undefined],
    ['Ana Ruiz <ana@example.com>', undefined],
    ['ana@example.com\nben@example.com', undefined],
    ['@example.com', undefined],
    ['ana@', undefined],
    ['ana@example', undefined],
    ['ana@.com', undefined],
    ['ana@example..com', undefined],
    ['ana@example.com.', undefined],
    ['ana@@example.com', undefined],
    ['a b@example.com', undefined],
    ['ana@exam ple.com', undefined],
    ['ana\u00a0@example.com', undefined],
    ['ana\u0007@example.com', undefined],
    ['ana\u0085@example.com', undefined],
    ['ana\u2028@example.com', undefined],
    ['ana@example.\ud83d', undefined],
    ['ana@example.com\u0000', undefined],
    ['ana\ud800@example.com', undefined],
    ['', undefined],
    ['x'.repeat(60_000), undefined],
    [`${'.'.repeat(50_000)}@`, undefined],
  ])('%j is read as %j', (text, expected) => {
    const before = process.cpuUsage()
    expect(readAddress(text)).toBe(expected)
    // A naive pattern takes seconds for the hostile strings.
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1500)
  })
})

describe('GET /api/businesses/emails/export', () => {
  it('exports the whole list in batches, without live formulas', async () => {
    const id = await createBusinessId()
    const many = Array.from({ length: 2500 }, (_, n) => `person${n}@example.com`)
    await upload(id, ['+cmd@example.com', ...many].join('\n'))
    const reply = await clerk.send(exportEmails, { query: { business_id: String(id) } })
    expect(reply.headers.get('content-disposition')).toMatch(/^attachment; filename="allowed-emails-.+\.csv"$/)
    const lines = reply.text.trim().split('\r\n')
    expect(lines[0]).toBe('ID,Email')
    expect(lines[1]).toMatch(/^\d+,'\+cmd@example\.com$/)
    expect(new Set(lines).size).toBe(2502)
    const found = await clerk.send(exportEmails, { query: { business_id: String(id), search: 'Person24' } })
    expect(found.text.trim().split('\r\n')).toHaveLength(112)
    expect((await clerk.send(exportEmails, { query: { business_id: '999999' } })).status).toBe(404)
    expect((await server.as('growth.tab').send(exportEmails, { query: { business_id: String(id) } })).status).toBe(403)
  })
})
