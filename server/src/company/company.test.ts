import { checkSession } from '@limber/contract/access/sessions/session.ts'
import {
  type Company,
  readCompany,
  readLogo,
  removeLogo,
  updateCompany,
  uploadLogo,
} from '@limber/contract/company/company.ts'
import { companyDay, companyZone } from '@limber/contract/kit/company.ts'
import { DEFAULT_TIME, setCompanyTime } from '@limber/contract/kit/company-time.ts'
import { listTransactions } from '@limber/contract/payroll/lists/transaction.ts'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sendForm } from '#platform/testing/testing.form.ts'
import { eventually, startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'

const ADDRESS = '1 Main St, Riverside, CA 92501'

let server: TestServer
let owner: TestCaller
beforeAll(async () => {
  server = await startTestServer({ withJobs: true, env: { COMPANY_ADDRESS: 'PO Box 7' } })
  owner = server.asOwner({ isSteppedUp: true, email: 'olga@example.com', name: 'Olga Reyes' })
})
afterAll(async () => {
  await server.stop()
  setCompanyTime(DEFAULT_TIME)
})

const profile = {
  name: 'Coastline Stretch',
  legal_name: 'Coastline Stretch, LLC',
  address_line: '1 Main St',
  city: 'Riverside',
  state: 'CA',
  postal_code: '92501',
  phone: '+19515550100',
  reply_to: 'hello@coastline.example.com',
  time_zone: 'America/Los_Angeles',
  week_starts_on: 'monday',
} as const

const current = async (): Promise<Company> => (await owner.send(readCompany)).body.company
const change = async (changes: object, by: TestCaller = owner) =>
  by.send(updateCompany, { body: { ...profile, version: (await current()).version, ...changes } as never })
const latestAudit = () =>
  server.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
const settings = () => server.running.services.company.current()

describe('the company profile', () => {
  it('starts empty, in Pacific time, with the deprecated address', async () => {
    const { body } = await owner.send(readCompany)
    expect(body).toMatchObject({
      company: { name: '', saved_at: null, time_zone: 'America/Los_Angeles', week_starts_on: 'monday', version: 0 },
      address_from_environment: 'PO Box 7',
      is_guide_hidden: false,
    })
    expect(settings().postalAddress).toBe('PO Box 7')
  })

  it('is saved with an audit row and reaches the session of everyone', async () => {
    const reply = await change({})
    expect(reply.status).toBe(200)
    expect(reply.body.company).toMatchObject({ ...profile, version: 1, saved_at: server.clock.now().toISOString() })
    expect(await latestAudit()).toMatchObject({
      action: 'company_changed',
      subject: 'company',
      before: { name: '' },
      after: { name: 'Coastline Stretch', time_zone: 'America/Los_Angeles' },
    })
    await eventually(async () => settings().name === 'Coastline Stretch' || undefined)
    expect(settings()).toMatchObject({ postalAddress: ADDRESS, replyTo: profile.reply_to })
    const { body } = await server.as().send(checkSession)
    expect(body.company).toMatchObject({ name: 'Coastline Stretch', timeZone: 'America/Los_Angeles', logo: null })
    // The middle of its postal code.
    expect(Math.round(body.company.mapStart?.latitude ?? 0)).toBe(34)
    expect(Math.round(body.company.mapStart?.longitude ?? 0)).toBe(-117)
    expect((await owner.send(readCompany)).body.address_from_environment).toBeNull()
  })

  it('refuses a stale version and returns the current profile', async () => {
    const { version } = await current()
    expect((await change({ name: 'First' })).status).toBe(200)
    const late = await owner.send(updateCompany, { body: { ...profile, name: 'Second', version } })
    expect([late.status, late.failure.code]).toEqual([409, 'stale'])
    expect(late.failure.current).toMatchObject({ name: 'First', version: version + 1 })
    expect((await current()).name).toBe('First')
  })

  it('is read by those who manage access, and changed by Owners with step-up only', async () => {
    const before = await current()
    const manager = server.asSteppedUp('access.manage')
    expect((await manager.send(readCompany)).status).toBe(200)
    const refused = await change({ name: 'Mine' }, manager)
    expect([refused.status, refused.failure.code]).toEqual([403, 'not_owner'])
    const unconfirmed = await change({ name: 'Mine' }, server.asOwner())
    expect([unconfirmed.status, unconfirmed.failure.code]).toEqual([403, 'step_up_required'])
    expect((await server.as('worker.tab').send(readCompany)).status).toBe(403)
    expect(await current()).toEqual(before)
  })

  it.each([
    [{ name: '' }, 400],
    [{ name: 'a\nb' }, 400],
    [{ reply_to: 'nobody' }, 400],
    [{ reply_to: 'a@b.example\nBcc: c@d.example' }, 400],
    [{ week_starts_on: 'friday' }, 400],
    [{ postal_code: '9'.repeat(13) }, 400],
    [{ time_zone: '' }, 422],
    [{ time_zone: 'Mars/Olympus' }, 422],
    [{ time_zone: '+05:00' }, 422],
    [{ time_zone: "UTC'; drop table company" }, 422],
    [{ time_zone: 'Asia/Kolkata' }, 422],
    [{ time_zone: 'America/St_Johns' }, 422],
    [{ logo: 'x' }, 400],
  ])('rejects %j', async (changes, status) => {
    const before = await current()
    expect((await change(changes)).status).toBe(status)
    expect(await current()).toEqual(before)
  })
})

describe('the time zone', () => {
  afterEach(async () => {
    await change({})
    await eventually(async () => companyZone() === 'America/Los_Angeles' || undefined)
  })

  const zoneOf = async (name: string) =>
    await server.db.selectFrom('schedules').select(['zone', 'next_run_at']).where('name', '=', name).executeTakeFirst()

  it('applies to days, schedules and counts by day without a restart', async () => {
    const at = new Date('2026-11-17T06:30:00Z')
    await sql`insert into payroll_transactions (transaction_type, amount, status, created_at)
      values ('tax_deposit', 12, 'pending', ${at})`.execute(server.db)
    const onDay = async (day: string) =>
      (await owner.send(listTransactions, { query: { from: day, to: day } })).body.pagination.totalItems
    expect([companyDay(at), await onDay('2026-11-16'), await onDay('2026-11-17')]).toEqual(['2026-11-16', 1, 0])
    const before = await zoneOf('payroll-pay-day')
    expect(before?.zone).toBe('America/Los_Angeles')

    expect((await change({ time_zone: 'America/New_York' })).status).toBe(200)
    await eventually(async () => companyZone() === 'America/New_York' || undefined)
    expect([companyDay(at), await onDay('2026-11-16'), await onDay('2026-11-17')]).toEqual(['2026-11-17', 0, 1])
    const after = await eventually(async () => {
      const found = await zoneOf('payroll-pay-day')
      return found?.zone === 'America/New_York' ? found : undefined
    })
    // Six in the morning comes three hours earlier in New York.
    expect((before?.next_run_at.getTime() ?? 0) - after.next_run_at.getTime()).toBe(3 * 3_600_000)
    const { body } = await server.as().send(checkSession)
    expect(body.company.timeZone).toBe('America/New_York')
    // Later rows are counted on the days of the new zone.
    await sql`insert into payroll_transactions (transaction_type, amount, status, created_at)
      values ('tax_deposit', 13, 'pending', ${at})`.execute(server.db)
    expect(await onDay('2026-11-17')).toBe(2)
    expect(await zoneOf('audit-chain')).toMatchObject({ zone: 'UTC' })
  })

  it('reaches a second process', async () => {
    const { url } = { url: server.running.services.config.databaseUrl }
    const second = await startTestServer({ database: { url, drop: async () => {} } })
    try {
      expect(second.running.services.company.current().timeZone).toBe('America/Los_Angeles')
      await change({ time_zone: 'America/Chicago', name: 'Seen by both' })
      const seen = () => second.running.services.company.current()
      await eventually(async () => seen().timeZone === 'America/Chicago' || undefined)
      expect(seen().name).toBe('Seen by both')
    } finally {
      await second.stop()
    }
  })
})

describe('the logo', () => {
  const image = (width = 80) =>
    sharp({ create: { width, height: 40, channels: 4, background: '#0f5c5c' } })
      .png()
      .toBuffer()
  const upload = async (content: Buffer, by = owner, filename = 'logo.png') =>
    sendForm(by, uploadLogo, [{ name: 'file', filename, content, type: 'image/png' }])
  const fetchLogo = (path: string | null) =>
    server.anonymous().send(readLogo, { params: { name: path?.split('/').at(-1) ?? '' } })

  it('is uploaded, shown to anyone by its name, replaced and removed', async () => {
    const first = await upload(await image())
    expect(first.status, first.text).toBe(200)
    expect(first.body.company.logo).toMatch(/^\/api\/company\/logo\/[a-z0-9]{26}\.png$/)
    const shown = await fetchLogo(first.body.company.logo)
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/png'])
    expect(shown.headers.get('content-security-policy')).toContain('sandbox')
    const second = await upload(await image(90))
    expect(second.body.company.logo).not.toBe(first.body.company.logo)
    expect((await fetchLogo(first.body.company.logo)).status).toBe(404)
    await eventually(async () => settings().logo === second.body.company.logo || undefined)
    expect((await owner.send(removeLogo)).body.company.logo).toBeNull()
    expect((await fetchLogo(second.body.company.logo)).status).toBe(404)
    expect((await latestAudit()).action).toBe('logo_removed')
  })

  it('must be an image of at most 2 MB, sent by an Owner', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
    const small = await image()
    for (const [content, status, code] of [
      [svg, 422, 'wrong_type'],
      [Buffer.from('GIF89a'), 422, 'wrong_type'],
      [Buffer.alloc(0), 400, 'malformed'],
      [Buffer.concat([small.subarray(0, 60)]), 422, 'damaged'],
    ] as const) {
      const reply = await upload(content)
      expect([reply.status, reply.failure.code]).toEqual([status, code])
    }
    const noise = Buffer.from(Array.from({ length: 1200 * 900 * 3 }, (_, at) => (at * 7919) % 251))
    const large = await sharp(noise, { raw: { width: 1200, height: 900, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toBuffer()
    expect(large.length).toBeGreaterThan(2 * 1024 * 1024)
    expect((await upload(large)).status).toBe(413)
    expect((await upload(small, server.asSteppedUp('access.manage'))).failure.code).toBe('not_owner')
    expect((await current()).logo).toBeNull()
  })
})
