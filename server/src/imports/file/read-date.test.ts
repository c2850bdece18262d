import { describe, expect, it } from 'vitest'
import { DateForms, dayOfCell, momentOfCell } from './read-date.ts'

describe('a date in a cell', () => {
  it.each([
    ['2025-03-04', '2025-03-04T08:00:00.000Z'],
    ['2025-07-04', '2025-07-04T07:00:00.000Z'],
    ['2025-03-04 13:20', '2025-03-04T21:20:00.000Z'],
    ['2025-03-04T13:20:05', '2025-03-04T21:20:05.000Z'],
    ['2025-03-04T13:20:05Z', '2025-03-04T13:20:05.000Z'],
    ['2025-03-04T13:20:05.678Z', '2025-03-04T13:20:05.678Z'],
    ['2025-03-04T13:20:59.9994-05:00', '2025-03-04T18:20:59.999Z'],
    ['2025-03-04 13:20:05.678', '2025-03-04T21:20:05.000Z'],
    ['2025-03-04 13:20:05 UTC', '2025-03-04T13:20:05.000Z'],
    ['2025-03-04 13:20:05 -0500', '2025-03-04T18:20:05.000Z'],
    ['03/04/2025', '2025-03-04T08:00:00.000Z'],
    ['3/4/25 1:20 PM', '2025-03-04T21:20:00.000Z'],
    ['3/4/2025, 12:05 am', '2025-03-04T08:05:00.000Z'],
    ['Mar 4, 2025', '2025-03-04T08:00:00.000Z'],
    ['4 March 2025 13:20', '2025-03-04T21:20:00.000Z'],
  ])('%s is %s', (text, moment) => {
    expect(momentOfCell(text, 'mdy')).toBe(moment)
  })

  it.each(['', 'n/a', '2025-02-30', '13/13/2025', '2025-03-04 25:00', '3/4/2025 13:00 PM', 'Foo 4, 2025', '20250304'])(
    '%j is not one',
    (text) => {
      expect(momentOfCell(text, 'mdy')).toBeUndefined()
    },
  )

  it('has the day first where that is the order, and none without an order', () => {
    expect(dayOfCell('03/04/2025', 'dmy')).toBe('2025-04-03')
    expect(dayOfCell('03/04/2025', undefined)).toBeUndefined()
  })
})

it.each([
  ['no dates in digits', ['2025-03-04', 'Mar 4, 2025'], null],
  ['a day above 12 in the second place', ['03/04/2025', '03/19/2025'], 'mdy'],
  ['a day above 12 in the first place', ['03/04/2025', '19/03/2025'], 'dmy'],
  ['only dates that can be read in two ways', ['03/04/2025', '2025-03-19'], 'unclear'],
  ['days above 12 in both places', ['03/19/2025', '19/03/2025'], 'unclear'],
])('a column with %s has the order it must have', (_name, texts, order) => {
  const finder = new DateForms()
  for (const text of texts) finder.add(text)
  expect(finder.order).toBe(order)
})
