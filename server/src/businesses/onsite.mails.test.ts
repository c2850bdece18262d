import { describe, expect, it } from 'vitest'
import type { Mail } from '#platform/mail.ts'
import { sessionMails } from './onsite.mails.ts'
import type { HeldSession } from './onsite.queries.ts'
import { spanInWords } from './when.rules.ts'

const session: HeldSession = {
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

describe('mails about a session', () => {
  it('go to those who were chosen, in the time of the zone, without what is internal', () => {
    expect(sessionMails('scheduled', session, undefined)).toEqual([])
    const [first, second] = sessionMails('scheduled', session, { stretcher: true, business: true })
    expect([mailOf(first).to, mailOf(second).to]).toEqual(['renata@example.com', 'wellness@example.com'])
    expect(mailOf(first).text).toContain('When: Wednesday 18 November 2026, 09:00 to 13:00 PST')
    expect(mailOf(second).text).toContain('Stretcher: Renata Solis')
    expect(JSON.stringify([first, second])).not.toContain('Secret label')
    expect(mailOf(first).subject).toBe('On-site session scheduled: Mission Inn')
  })
  it('tell who lost a session, and why it was cancelled', () => {
    const before = { id: 9, name: 'Tobias Brandt', email: 'tobias@example.com' }
    const mails = sessionMails('reassigned', session, { stretcher: true, business: false }, before)
    expect(mails.map((one) => mailOf(one).to)).toEqual(['renata@example.com', 'tobias@example.com'])
    expect(new Set(mails.map(({ key }) => key)).size).toBe(2)
    const [gone] = sessionMails(
      'cancelled',
      { ...session, cancel_reason: 'Rain' },
      { stretcher: false, business: true },
    )
    expect(mailOf(gone).text).toContain('Reason: Rain')
  })
  it('name both times when the clocks change meanwhile', () => {
    const span = spanInWords(new Date('2026-11-01T07:30:00Z'), new Date('2026-11-01T09:30:00Z'), session.time_zone)
    expect(span).toBe('Sunday 1 November 2026, 00:30 PDT to 01:30 PST')
  })
})
