import { describe, expect, it } from 'vitest'
import { durationText } from './duration.rules.ts'

describe('durationText', () => {
  it.each([
    [-5, '0 s'],
    [59_000, '59 s'],
    [61_000, '1 min'],
    [7_500_000, '2 h 5 min'],
    [86_400_000, '1 day'],
    [200_000_000, '2 days'],
  ])('formats %d as %s', (ms, text) => {
    expect(durationText(ms)).toBe(text)
  })
})
