import { describe, expect, it } from 'vitest'
import { addDays, daysBetween } from './days.ts'

describe('calendar days', () => {
  it('handles month ends, year ends, leap days and clock changes', () => {
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01')
    expect(addDays('2028-03-01', -1)).toBe('2028-02-29')
    expect(addDays('2027-03-14', 1)).toBe('2027-03-15')
    expect(daysBetween('2026-10-26', '2026-11-01')).toBe(6)
    expect(daysBetween('2026-11-01', '2026-10-31')).toBe(-1)
  })
})
