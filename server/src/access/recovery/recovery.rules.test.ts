import { expect, it } from 'vitest'
import { makeRecoveryCodes, normalizeRecoveryCode, REQUEST_LIFE } from './recovery.rules.ts'

it('makes ten different codes of four groups', () => {
  const codes = makeRecoveryCodes()
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^([A-HJ-NP-Z2-9]{4}-){3}[A-HJ-NP-Z2-9]{4}$/)
})
it('uses all 32 letters', () => {
  const letters = new Set(Array.from({ length: 20 }, makeRecoveryCodes).flat().join(''))
  expect(letters.size).toBe(33)
})
it.each([
  ['abcd-efgh-jkmn-2345', 'ABCDEFGHJKMN2345'],
  [' ABCD EFGH ', 'ABCDEFGH'],
  ['ßa', 'A'],
])('compares %s as %s', (typed, compared) => {
  expect(normalizeRecoveryCode(typed)).toBe(compared)
})
it('keeps a request for three days', () => {
  expect(REQUEST_LIFE).toBe(259_200_000)
})
