import { describe, expect, it } from 'vitest'
import { readDay, splitAmount, splitDay } from './words.ts'

// A Tuesday; weeks begin on Monday.
const TODAY = '2026-11-17'

describe('a day in words', () => {
  it.each([
    ['today', '2026-11-17'],
    ['Tomorrow', '2026-11-18'],
    ['yesterday', '2026-11-16'],
    ['friday', '2026-11-20'],
    ['Tuesday', '2026-11-17'],
    ['monday', '2026-11-23'],
    ['next Tuesday', '2026-11-24'],
    ['next fri', '2026-11-27'],
    ['this sunday', '2026-11-22'],
    ['last Friday', '2026-11-13'],
    ['on  thursday', '2026-11-19'],
    ['in 3 days', '2026-11-20'],
    ['in a week', '2026-11-24'],
    ['in two weeks', '2026-12-01'],
    ['2 months ago', '2026-09-17'],
    ['next month', '2026-12-17'],
    ['last year', '2025-11-17'],
    ['Dec 1', '2026-12-01'],
    ['december 1st', '2026-12-01'],
    ['Jan 5', '2027-01-05'],
    ['Mar 3, 2026', '2026-03-03'],
    ['12/1', '2026-12-01'],
    ['12/1/25', '2025-12-01'],
    ['2026-12-01', '2026-12-01'],
  ])('%s is %s', (words, day) => {
    expect(readDay(words, TODAY)).toBe(day)
  })

  it('keeps to months that have fewer days', () => {
    expect(readDay('next month', '2026-01-31')).toBe('2026-02-28')
    expect(readDay('last month', '2026-03-31')).toBe('2026-02-28')
  })

  it.each(['', 'jaz', 'Feb 30', '13/1', 'in many days', 'in 9999 days', 'next', 'mo', '2026-02-30', 'tuesdays'])(
    '“%s” is no day',
    (words) => {
      expect(readDay(words, TODAY)).toBeUndefined()
    },
  )

  it('is found at the end of other words', () => {
    expect(splitDay('Riverside next Tuesday', TODAY)).toEqual({ rest: 'Riverside', day: '2026-11-24' })
    expect(splitDay('in 3 days', TODAY)).toEqual({ rest: '', day: '2026-11-20' })
    expect(splitDay('Club 24 Dec 1, 2026', TODAY)).toEqual({ rest: 'Club 24', day: '2026-12-01' })
    expect(splitDay('Riverside', TODAY)).toEqual({ rest: 'Riverside', day: undefined })
  })
})

describe('an amount', () => {
  it.each([
    ['jaz 2', 'jaz', 2],
    ['2 credits jaz', 'jaz', 2],
    ['jaz reyes 1 credit', 'jaz reyes', 1],
    ['jaz -3', 'jaz', -3],
    ['jaz', 'jaz', undefined],
    ['credits', 'credits', undefined],
    ['user42@example.com', 'user42@example.com', undefined],
  ])('%s', (words, rest, amount) => {
    expect(splitAmount(words, 'credit')).toEqual({ rest, amount })
  })
})
