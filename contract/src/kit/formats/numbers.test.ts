import { describe, expect, it } from 'vitest'
import { formatMoney } from './money.ts'
import {
  formatBytes,
  formatCompact,
  formatDuration,
  formatInteger,
  formatList,
  formatNumber,
  formatPercent,
  formatPhone,
  formatPoints,
  pluralize,
} from './numbers.ts'

describe('numbers', () => {
  it.each([
    [formatInteger(13_069), '13,069'],
    [formatInteger(99_999_999_999_999n), '99,999,999,999,999'],
    [formatNumber(12.345), '12.35'],
    [formatNumber(1_200), '1,200'],
    [formatCompact(0.5), '0.5'],
    [formatCompact(9_500), '9,500'],
    [formatCompact(12_500), '12.5K'],
    [formatCompact(1_234_567), '1.2M'],
    [pluralize(1, 'ticket'), '1 ticket'],
    [pluralize(2_340, 'ticket'), '2,340 tickets'],
    [pluralize(0, 'person', 'people'), '0 people'],
    [formatList([]), ''],
    [formatList(['a']), 'a'],
    [formatList(['a', 'b']), 'a and b'],
    [formatList(['a', 'b', 'c']), 'a, b, and c'],
    [formatPercent(87), '87%'],
    [formatPercent(2.9), '2.9%'],
    [formatPercent(0.0345 * 100), '3.45%'],
    [formatPercent(12, 1), '12.0%'],
    [formatPoints(0.09, 2), '0.09 pts'],
    [formatPhone('+19515550142'), '(951) 555-0142'],
    [formatPhone('+4915112345678'), '+4915112345678'],
  ])('%s is %s', (written, text) => expect(written).toBe(text))

  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1_400, '1.4 KB'],
    [999_960, '1.0 MB'],
    [7_500_000, '7.5 MB'],
    [99_970_000, '100 MB'],
    [250_000_000, '250 MB'],
    [3_200_000_000_000, '3.2 TB'],
    [5_000_000_000_000_000, '5000 TB'],
  ])('%d bytes are %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

  it.each([
    [null, '--'],
    [0.42, '0.4 ms'],
    [8.3, '8.3 ms'],
    [42, '42 ms'],
    [999.9, '999 ms'],
    [1_300, '1.3 s'],
    [59_990, '59.9 s'],
    [125_000, '2 min 5 s'],
    [3_780_000, '1 h 3 min'],
  ])('%s ms took %s', (ms, text) => expect(formatDuration(ms)).toBe(text))
})

describe('money', () => {
  it.each([
    ['1262.94', {}, '$1,262.94'],
    ['12345.6789', { decimals: 4 }, '$12,345.6789'],
    ['12345.675', {}, '$12,345.68'],
    ['-0.005', {}, '−$0.01'],
    ['0.0049', {}, '$0.00'],
    ['99999999999999.9999', { decimals: 4 }, '$99,999,999,999,999.9999'],
    ['5', { isSigned: true }, '+$5.00'],
    ['0', { isSigned: true }, '$0.00'],
    [null, {}, '--'],
  ] as const)('%s with %j is %s', (amount, form, text) => expect(formatMoney(amount, form)).toBe(text))
})
