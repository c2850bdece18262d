import { expect, it } from 'vitest'
import { cborLength } from './cbor.rules.ts'

const nested = (depth: number) => `${'81'.repeat(depth)}00`

it.each([
  ['00', 1],
  ['17', 1],
  ['1817', 2],
  ['190100', 3],
  ['1a00010000', 5],
  ['20', 1],
  ['f5', 1],
  ['40', 1],
  ['43010203', 4],
  ['63616263', 4],
  ['5801ff', 3],
  ['590001ff', 4],
  ['80', 1],
  ['820102', 3],
  ['a10102', 3],
  ['a201020304', 5],
  ['c001', 2],
  ['a1014102', 4],
  [nested(16), 17],
  // What follows the first item does not matter.
  ['0000', 1],
])('measures %s as %d', (hex, length) => {
  expect(cborLength(Buffer.from(hex, 'hex'))).toBe(length)
})
it.each([
  '',
  '18',
  '1900',
  '1a000000',
  '1b0000000000000000',
  '5f',
  '4301',
  '6361',
  '8201',
  'a101',
  'a1',
  'c0',
  '58',
  '9f00ff',
  nested(17),
])('rejects %j as incomplete or unbounded', (hex) => {
  expect(cborLength(Buffer.from(hex, 'hex'))).toBeUndefined()
})
it('measures from a start', () => {
  expect(cborLength(Buffer.from('ff43010203', 'hex'), 1)).toBe(4)
  expect(cborLength(Buffer.from('ff430102', 'hex'), 1)).toBeUndefined()
})
