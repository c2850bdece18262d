import { afterEach, describe, expect, it } from 'vitest'
import { companyDay, weekStartOf } from './company.ts'
import { DEFAULT_TIME, setCompanyTime } from './company-time.ts'
import { formatMoment, formatTime } from './formats/dates.ts'

afterEach(() => setCompanyTime(DEFAULT_TIME))

describe('the time of the company', () => {
  it.each([
    ['monday', '2026-11-16', '2026-11-16'],
    ['monday', '2026-11-18', '2026-11-16'],
    ['monday', '2026-11-22', '2026-11-16'],
    ['monday', '2027-01-01', '2026-12-28'],
    ['sunday', '2026-11-15', '2026-11-15'],
    ['sunday', '2026-11-21', '2026-11-15'],
    ['sunday', '2026-11-22', '2026-11-22'],
  ] as const)('starts weeks on %s: %s is in the week of %s', (weekStartsOn, day, first) => {
    setCompanyTime({ ...DEFAULT_TIME, weekStartsOn })
    expect(weekStartOf(day)).toBe(first)
  })

  it('decides days and times, and which zones are named, also after it changes', () => {
    const at = new Date('2026-11-17T05:30:00Z')
    expect(companyDay(at)).toBe('2026-11-16')
    expect(formatTime(at, { zone: 'America/New_York' })).toBe('12:30 AM EST')
    setCompanyTime({ ...DEFAULT_TIME, timeZone: 'America/New_York' })
    expect(companyDay(at)).toBe('2026-11-17')
    expect(formatMoment(at)).toBe('Nov 17, 2026, 12:30 AM')
    expect(formatTime(at, { zone: 'America/Los_Angeles' })).toBe('9:30 PM PST')
  })
})
