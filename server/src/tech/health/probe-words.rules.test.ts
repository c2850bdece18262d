import { describe, expect, it } from 'vitest'
import { sizeText, spanText } from './probe-words.rules.ts'

describe('sizeText', () => {
  it.each([
    [0, '0 bytes'],
    [999, '999 bytes'],
    [1_400, '1.4 KB'],
    [120_000_000, '120 MB'],
    [5_000_000_000_000_000, '5000 TB'],
  ])('words %d as %s', (bytes, words) => {
    expect(sizeText(bytes)).toBe(words)
  })
})

describe('spanText', () => {
  it.each([
    [-5, '0 s'],
    [59_000, '59 s'],
    [61_000, '1 min'],
    [7_500_000, '2 h 5 min'],
    [86_400_000, '1 day'],
    [200_000_000, '2 days'],
  ])('words %d as %s', (ms, words) => {
    expect(spanText(ms)).toBe(words)
  })
})
