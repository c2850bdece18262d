import { describe, expect, it } from 'vitest'
import type { Mail } from '#platform/mail/mail.ts'
import { participantMails, sessionMails } from './onsite.mails.ts'
import type { FullSession } from './onsite.queries.ts'

const FROM = 'Coastline Stretch'
const session: FullSession = {
  id: 7,
  business_id: 1,
  block_id: 3,
  stretcher_id: 5,
  stretcher_name: 'Renata Solis',
  stretcher_email: 'renata@example.com',
  starts_at: new Date('2026-11-18T17:00:00Z'),
  ends_at: new Date('2026-11-18T21:00:00Z'),
  cancelled_at: null,
  cancel_reason: null,
  taken_slots: 0,
  version: 4,
  block_hours: 4,
  slot_length_minutes: 20,
  internal_label: 'Secret label',
  expires_on: null,
  used_at: null,
  block_version: 1,
  business_name: 'Mission\r\nInn',
  admin_email: 'wellness@example.com',
  rep_name: 'Ana Ruiz',
  location: 'Lobby',
  zone_id: 1,
  zone_name: 'Riverside',
  time_zone: 'America/Los_Angeles',
}
const mailOf = (message: { payload: unknown } | undefined) => message?.payload as Mail

describe('emails about a session', () => {
  it("go to the selected people, in the zone's time zone, without internal details", () => {
    expect(sessionMails('scheduled', session, undefined, FROM)).toEqual([])
    const [first, second] = sessionMails('scheduled', session, { stretcher: true, business: true }, FROM)
    expect([mailOf(first).to, mailOf(second).to]).toEqual(['renata@example.com', 'wellness@example.com'])
    expect(mailOf(first).text).toContain('When: Wed, Nov 18, 2026, 9:00 AM – 1:00 PM PST')
    expect(mailOf(second).text).toContain('Stretcher: Renata Solis')
    expect(JSON.stringify([first, second])).not.toContain('Secret label')
    expect(mailOf(first).subject).toBe('On-site session scheduled: Mission Inn')
  })
  it('notify the previous stretcher, and give the reason of a cancellation', () => {
    const before = {
      ...session,
      stretcher_id: 9,
      stretcher_name: 'Tobias Brandt',
      stretcher_email: 'tobias@example.com',
    }
    const mails = sessionMails('reassigned', session, { stretcher: true, business: false }, FROM, before)
    expect(mails.map((one) => mailOf(one).to)).toEqual(['renata@example.com', 'tobias@example.com'])
    expect(new Set(mails.map(({ key }) => key)).size).toBe(2)
    const [gone] = sessionMails(
      'cancelled',
      { ...session, cancel_reason: 'Rain' },
      { stretcher: false, business: true },
      FROM,
    )
    expect(mailOf(gone).text).toContain('Reason: Rain')
  })
  it('give the previous stretcher of a moved session the original time', () => {
    const before = { ...session, stretcher_id: 9, stretcher_email: 'tobias@example.com' }
    const moved = { ...session, starts_at: new Date('2026-11-19T17:00:00Z'), ends_at: new Date('2026-11-19T21:00:00Z') }
    const [got, lost, business] = sessionMails('rearranged', moved, { stretcher: true, business: true }, FROM, before)
    expect(mailOf(got).subject).toBe('On-site session assigned to you: Mission Inn')
    expect(mailOf(got).text).toContain('When: Thu, Nov 19, 2026')
    expect([mailOf(lost).to, mailOf(lost).subject]).toEqual([
      'tobias@example.com',
      'On-site session reassigned: Mission Inn',
    ])
    expect(mailOf(lost).text).toContain('When: Wed, Nov 18, 2026')
    expect(mailOf(business).text).toContain('Your on-site session has a new time and a new stretcher.')
  })
  it("list each participant's own times once, without the reason of a cancellation", () => {
    const booked = (slot: number, name: string) => ({
      slot,
      name,
      email: `${name.toLowerCase()}@example.com`,
      rating: null,
    })
    const mails = participantMails('moved', session, [booked(0, 'Ana'), booked(2, 'Ben'), booked(3, 'Ana')], FROM)
    expect(mails.map((one) => mailOf(one).to)).toEqual(['ana@example.com', 'ben@example.com'])
    expect(mailOf(mails[0]).text).toBe(
      [
        'Hi Ana,',
        '',
        'The on-site session you booked a slot for has a new time.',
        '',
        'Business: Mission\r\nInn',
        'Your slot: Wed, Nov 18, 2026, 9:00 AM – 9:20 AM PST',
        'Your slot: Wed, Nov 18, 2026, 10:00 AM – 10:20 AM PST',
        'Where: Lobby',
        '',
        FROM,
      ].join('\n'),
    )
    const gone = participantMails('cancelled', { ...session, cancel_reason: 'Not paid' }, [booked(0, 'Ana')], FROM)
    expect(JSON.stringify(gone)).not.toContain('Not paid')
  })
  it('name both time zone abbreviations across a daylight saving change', () => {
    const night = { starts_at: new Date('2026-11-01T07:30:00Z'), ends_at: new Date('2026-11-01T09:30:00Z') }
    const [mail] = sessionMails('scheduled', { ...session, ...night }, { stretcher: true, business: false }, FROM)
    expect(mailOf(mail).text).toContain('When: Sun, Nov 1, 2026, 12:30 AM PDT – 1:30 AM PST')
  })
})
