import { expect, it } from 'vitest'
import { endOfDay, lastDayBefore, makePublicId, makeSecret, readToken, tokenOf } from './api-key.rules.ts'

const [publicId, secret] = ['AbCd0123', 'x'.repeat(40)]

it('makes ids of 8 and secrets of 40 letters and digits', () => {
  expect(makePublicId()).toMatch(/^[0-9A-Za-z]{8}$/)
  expect(makeSecret()).toMatch(/^[0-9A-Za-z]{40}$/)
  expect(makeSecret()).not.toBe(makeSecret())
  const letters = new Set(Array.from({ length: 100 }, makeSecret).join(''))
  expect(letters.size).toBe(62)
})
it('reads back what it writes', () => {
  expect(tokenOf(publicId, secret)).toBe(`lmb_AbCd0123_${secret}`)
  expect(readToken(tokenOf(publicId, secret))).toEqual({ publicId, secret })
})
it.each([
  '',
  'lmb_',
  `lmb_AbCd012_${secret}`,
  `lmb_AbCd0123_${secret}x`,
  `x${tokenOf(publicId, secret)}`,
  'lmb_AbCd0123_x',
])('reads nothing from %j', (token) => {
  expect(readToken(token)).toBeUndefined()
})
it('ends a key with its last day in company time', () => {
  const end = endOfDay('2026-05-01')
  expect(end.toISOString()).toBe('2026-05-02T07:00:00.000Z')
  expect(lastDayBefore(end)).toBe('2026-05-01')
  expect(lastDayBefore(new Date(end.getTime() + 1))).toBe('2026-05-02')
})
