import { afterEach, expect, it } from 'vitest'
import { DEFAULT_TIME, setCompanyTime } from './company-time.ts'
import { holidayOn } from './holidays.ts'

afterEach(() => setCompanyTime(DEFAULT_TIME))

it('knows federal holidays everywhere, and those of a state in that state', () => {
  expect(holidayOn('2026-11-26', 'MA')).toEqual({ name: 'Thanksgiving Day', kind: 'federal' })
  expect(holidayOn('2026-11-27', 'CA')).toEqual({ name: 'Day after Thanksgiving', kind: 'state' })
  expect(holidayOn('2026-11-27', ' nv ')).toEqual({ name: 'Family Day', kind: 'state' })
  expect(holidayOn('2026-11-27', 'MA')).toBeUndefined()
  expect(holidayOn('2026-11-27', '')).toBeUndefined()
})

it('counts weekdays of a month', () => {
  expect(holidayOn('2026-04-20', 'MA')?.name).toBe("Patriots' Day")
  expect(holidayOn('2026-10-30', 'NV')?.name).toBe('Nevada Day')
  expect(holidayOn('2026-03-30', 'AK')?.name).toBe("Seward's Day")
  expect(holidayOn('2026-08-21', 'HI')?.name).toBe('Statehood Day')
  expect(holidayOn('2026-03-03', 'VT')?.name).toBe('Town Meeting Day')
})

it('takes the state of the company', () => {
  expect(holidayOn('2026-03-31')).toBeUndefined()
  setCompanyTime({ ...DEFAULT_TIME, state: 'CA' })
  expect(holidayOn('2026-03-31')?.name).toBe('Cesar Chavez Day')
})
