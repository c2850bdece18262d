import { describe, expect, it } from 'vitest'
import { federalHolidayOn, federalHolidays } from './federal-holidays.ts'

describe('federal holidays', () => {
  // As published by the Office of Personnel Management.
  it.each([
    [2025, '01-01 01-20 02-17 05-26 06-19 07-04 09-01 10-13 11-11 11-27 12-25'],
    [2026, '01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25'],
    [2027, '01-01 01-18 02-15 05-31 06-18 07-05 09-06 10-11 11-11 11-25 12-24'],
  ])('of %i', (year, days) => {
    expect(
      federalHolidays(year)
        .map(({ day }) => day.slice(5))
        .join(' '),
    ).toBe(days)
  })

  it('move into the year before when New Year is a Saturday', () => {
    expect(federalHolidays(2028)[0]).toEqual({ day: '2027-12-31', name: "New Year's Day" })
  })

  it('are found by day, also one of the next year', () => {
    expect(federalHolidayOn('2026-11-26')).toBe('Thanksgiving Day')
    expect(federalHolidayOn('2027-12-31')).toBe("New Year's Day")
    expect(federalHolidayOn('2026-11-27')).toBeUndefined()
  })
})
