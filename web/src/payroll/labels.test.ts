import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { describe, expect, it, vi } from 'vitest'
import { severityOf } from './dollars.tsx'
import { daysIn, exactText, lastDays, percentText } from './labels.ts'

describe('payroll labels', () => {
  it('counts both ends of a date range', () => {
    expect(daysIn('2026-10-16', '2026-11-14')).toBe(30)
  })
  it("takes the last 30 days in the company's time zone", () => {
    vi.useFakeTimers({ now: new Date('2026-11-15T05:00:00Z') })
    expect(lastDays()).toEqual({ startDate: '2026-10-16', endDate: '2026-11-14' })
    vi.useRealTimers()
  })
  it.each([
    [0.195, '19.5%'],
    [0.0345, '3.45%'],
    [0, '0%'],
    [0.1234, '12.34%'],
  ])('shows the rate %d as %s', (rate, text) => expect(percentText(rate)).toBe(text))
  it.each([
    ['-8600.00', '−8,600.00'],
    ['1327.304', '1,327.304'],
    ['0.00', '0.00'],
    ['55640.00', '55,640.00'],
  ])('shows the amount %s as %s', (amount, text) => expect(exactText(amount)).toBe(text))
  it('uses singular and plural', () => {
    expect([pluralize(1, 'entry', 'entries'), pluralize(1200, 'entry', 'entries')]).toEqual([
      '1 entry',
      '1,200 entries',
    ])
  })
  it.each([
    [0, undefined],
    [0.0099, 'warning'],
    [-0.01, 'significant'],
  ])('rates a difference of %d as %s', (difference, severity) => expect(severityOf(difference)).toBe(severity))
})
