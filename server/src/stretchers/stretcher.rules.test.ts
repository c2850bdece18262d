import { describe, expect, it } from 'vitest'
import { birthProblem, countOf } from './stretcher.rules.ts'

describe('birthProblem', () => {
  it.each([
    ['1994-05-17', undefined],
    ['2008-11-16', undefined],
    ['2008-11-17', 'too_young'],
    ['2026-11-16', 'too_young'],
    ['2026-11-17', 'bad_birth'],
    ['1800-01-01', 'bad_birth'],
    ['1926-11-16', 'bad_birth'],
    ['1926-11-17', undefined],
    ['0001-01-01', 'bad_birth'],
  ])('%s on 2026-11-16: %s', (born, fault) => {
    expect(birthProblem(born, '2026-11-16')).toBe(fault)
  })
  it('treats someone born on February 29 as 18 on March 1 of a common year', () => {
    expect(birthProblem('2008-02-29', '2026-02-28')).toBe('too_young')
    expect(birthProblem('2008-02-29', '2026-03-01')).toBeUndefined()
  })
})

it('pluralizes bookings and on-site sessions', () => {
  expect([countOf('bookings', 1), countOf('bookings', 1200), countOf('onsite', 2)]).toEqual([
    '1 booking',
    '1,200 bookings',
    '2 on-site sessions',
  ])
})
