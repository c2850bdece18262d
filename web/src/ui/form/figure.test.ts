import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readFigure } from './figure.ts'

it.each([
  ['44.50', '44.50'],
  ['1,234.50', '1234.50'],
  ['12,345,678', '12345678'],
  ['$1,234.50', '1234.50'],
  [' 7 ', '7'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['0.1955', '0.1955'],
])('reads %s as %s', (typed, decimal) => {
  expect(readFigure(typed, 4)).toEqual({ decimal })
})

it.each([
  ['44,50', 4, 'must be a number like 1,234.50'],
  ['1,23,456', 4, 'must be a number like 1,234.50'],
  ['1234,567', 4, 'must be a number like 1,234.50'],
  ['1,234,56.7', 4, 'must be a number like 1,234.50'],
  ['12a', 4, 'must be a number like 1,234.50'],
  ['1.2.3', 4, 'must be a number like 1,234.50'],
  ['1 234', 4, 'must be a number like 1,234.50'],
  ['1e3', 4, 'must be a number like 1,234.50'],
  ['.', 4, 'must be a number like 1,234.50'],
  ['-3', 4, 'must not be negative'],
  ['−3', 4, 'must not be negative'],
  ['0.12345', 4, 'must have at most 4 decimals'],
  ['9.999', 2, 'must have at most 2 decimals'],
  ['1.5', 0, 'must be a whole number'],
  ['two', 0, 'must be a whole number'],
])('rejects %s with %i decimals: %s', (typed, decimals, problem) => {
  expect(readFigure(typed, decimals)).toEqual({ problem })
})

it('reads the same number with and without thousands separators', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 14n), fc.integer({ min: 0, max: 9999 }), (whole, parts) => {
      const fraction = String(parts).padStart(4, '0')
      const grouped = String(whole).replace(/\B(?=(\d{3})+$)/g, ',')
      expect(readFigure(`${grouped}.${fraction}`, 4)).toEqual({ decimal: `${whole}.${fraction}` })
      expect(readFigure(`${whole}.${fraction}`, 4)).toEqual({ decimal: `${whole}.${fraction}` })
    }),
  )
})
