import { expect, it } from 'vitest'
import { makeTotpSecret, matchTotp, totpCode, totpStep, totpUri } from './totp.rules.ts'

const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const now = new Date('2026-05-01T09:00:15Z')
const step = totpStep(now)

it('counts steps of 30 seconds', () => {
  expect(totpStep(new Date(29_999))).toBe(0)
  expect(totpStep(new Date(30_000))).toBe(1)
  expect(totpStep(new Date(300_000))).toBe(10)
})
it.each([
  [-2, undefined],
  [-1, step - 1],
  [0, step],
  [1, step + 1],
  [2, undefined],
])('finds the step of a code that is %d steps off', (off, found) => {
  expect(matchTotp(secret, totpCode(secret, step + off), now)).toBe(found)
})
it('makes a code of six digits from secret and step', () => {
  expect(totpCode(secret, step)).toMatch(/^\d{6}$/)
  expect(totpCode(secret, step)).not.toBe(totpCode(secret, step + 1))
  expect(totpCode(makeTotpSecret(), step)).not.toBe(totpCode(makeTotpSecret(), step))
})
it('makes secrets of 160 bits, for an app', () => {
  expect(makeTotpSecret()).toMatch(/^[A-Z2-7]{32}$/)
  const uri = new URL(totpUri(secret, 'robin@example.com'))
  expect(uri.searchParams.get('issuer')).toBe('Limber')
  expect(uri.searchParams.get('secret')).toBe(secret)
  expect(decodeURIComponent(uri.pathname)).toContain('robin@example.com')
})
