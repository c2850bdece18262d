import { createFeed, listFeeds, readFeed, revokeFeed } from '@limber/contract/businesses/feeds/calendar-feed.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY, HOUR, shift } from '#platform/clock.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeStretcher } from '#stretchers/stretcher.factory.ts'
import { makeBlock, makeBusiness, makeSession } from '../business/business.factory.ts'
import { makeZone } from '../zones/zone.factory.ts'
import { escapeText, foldLine, printCalendar } from './icalendar.rules.ts'

let server: TestServer
let clerk: TestCaller
let first: { id: number; name: string }
let other: { id: number; name: string }
let stretcherId: number
beforeAll(async () => {
  server = await startTestServer()
  clerk = server.as('businesses.manage')
  const { db, clock } = server
  const zone_id = (await makeZone(db)).id
  first = await makeBusiness(db, { zone_id, name: 'Acme; Tools, Inc.' })
  other = await makeBusiness(db, { zone_id, name: 'Borealis' })
  const one = await makeStretcher(db, { zone_id, first_name: 'Maya', last_name: 'Ruiz' })
  const two = await makeStretcher(db, { zone_id, first_name: 'Noah', last_name: 'Lind' })
  stretcherId = one.id
  const make = async (business_id: number, stretcher_id: number, starts_at: Date) => {
    const block = await makeBlock(db, { business_id })
    await makeSession(db, { block_id: block.id, business_id, stretcher_id, starts_at })
  }
  await make(first.id, one.id, shift(clock.now(), 2 * DAY))
  await make(other.id, two.id, shift(clock.now(), 3 * DAY))
  await make(other.id, one.id, shift(clock.now(), -60 * DAY))
})
afterAll(() => server.stop())

const create = async (body: { business_id?: number; stretcher_id?: number }) =>
  (await clerk.send(createFeed, { body })).body
const open = (url: string) => server.anonymous().send(readFeed, { params: { token: url.split('/').at(-1) ?? '' } })
const unfold = (text: string) => text.replaceAll('\r\n ', '')

describe('a calendar link', () => {
  it('shows all sessions of the next time, without participants', async () => {
    const { url } = await create({})
    expect(url).toMatch(/\/api\/calendar\/[\w-]{43}\.ics$/)
    const reply = await open(url)
    expect(reply.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
    const text = unfold(reply.text)
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(2)
    expect(text).toContain('SUMMARY:On-site session: Acme\\; Tools\\, Inc.')
    expect(text).toContain('Stretcher: Maya Ruiz.')
    expect(text.startsWith('BEGIN:VCALENDAR\r\nVERSION:2.0\r\n')).toBe(true)
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
  })

  it('of a business shows its sessions and only first names', async () => {
    const text = unfold((await open((await create({ business_id: other.id })).url)).text)
    expect(text.match(/SUMMARY:.*/g)).toEqual(['SUMMARY:On-site session: Borealis'])
    expect(text).toContain('Stretcher: Noah.')
    expect(text).not.toContain('Lind')
  })

  it('of a stretcher shows their sessions', async () => {
    const text = unfold((await open((await create({ stretcher_id: stretcherId })).url)).text)
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(1)
    expect(text).toContain('Acme')
  })

  it('stops working when it is revoked, and stores no secret', async () => {
    const { feed, url } = await create({})
    expect((await open(url)).status).toBe(200)
    const { body } = await clerk.send(listFeeds)
    expect(body.feeds.find(({ id }) => id === feed.id)?.lastUsedAt).not.toBeNull()
    const token = url.split('/').at(-1)?.replace('.ics', '') ?? ''
    const stored = await server.running.services.pool.query(
      `select (select string_agg(f::text, ' ') from calendar_feeds f) || (select string_agg(a::text, ' ') from audit_log a)
        || coalesce((select string_agg(k::text, ' ') from idempotency_keys k), '') as everything`,
    )
    expect(JSON.stringify(stored.rows)).not.toContain(token)
    const params = { id: String(feed.id) }
    expect((await clerk.send(revokeFeed, { params })).body.feed.revokedAt).not.toBeNull()
    expect((await open(url)).status).toBe(404)
    expect((await clerk.send(revokeFeed, { params })).failure.code).toBe('revoked')
    expect((await clerk.send(revokeFeed, { params: { id: '999999' } })).status).toBe(404)
  })

  it('is refused for unknown records and tokens, and closed to others', async () => {
    expect((await clerk.send(createFeed, { body: { business_id: first.id, stretcher_id: stretcherId } })).status).toBe(
      400,
    )
    expect((await clerk.send(createFeed, { body: { business_id: 999_999 } })).status).toBe(404)
    expect((await clerk.send(createFeed, { body: { stretcher_id: 999_999 } })).status).toBe(404)
    for (const token of ['x', 'A'.repeat(43), `${'A'.repeat(43)}.ics`])
      expect((await open(`/${token}`)).status).toBe(404)
    const stranger = server.as('growth.tab')
    expect((await stranger.send(createFeed, { body: {} })).status).toBe(403)
    expect((await stranger.send(listFeeds)).status).toBe(403)
  })
})

describe('a calendar file', () => {
  it('has no line over 75 octets and keeps the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab;,\\\n\r é漢😀'), maxLength: 300 }), (text) => {
        const line = `SUMMARY:${escapeText(text)}`
        const folded = foldLine(line)
        for (const part of folded.split('\r\n')) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(75)
        expect(folded.replaceAll('\r\n ', '').replace(/\r\n$/, '')).toBe(line)
        expect(line).not.toMatch(/[\r\n]/)
      }),
    )
  })

  it('cannot be extended by a name', () => {
    const now = new Date('2026-11-18T17:00:00Z')
    const event = {
      uid: 'u',
      sequence: 1,
      startsAt: now,
      endsAt: shift(now, 2 * HOUR),
      summary: 'A\r\nEND:VEVENT\r\nBEGIN:VEVENT',
      location: null,
      description: '',
      isCancelled: true,
    }
    const text = printCalendar('Sessions', [event], now)
    expect(text.match(/^BEGIN:VEVENT$/gm)).toHaveLength(1)
    expect(text).toContain('DTSTART:20261118T170000Z\r\nDTEND:20261118T190000Z')
    expect(text).toContain('STATUS:CANCELLED')
  })
})
