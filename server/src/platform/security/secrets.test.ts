import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readCookies } from '../http/cookies.ts'
import { isCsrfToken, isKnownToken, makeCsrfToken } from './csrf.ts'
import { hashToken, makeKeyring, sameText } from './secrets.ts'

const keyring = makeKeyring('first-secret-0123456789')

describe('encryption', () => {
  it('decrypts what it encrypted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(keyring.open('mail', keyring.seal('mail', text))).toBe(text.toWellFormed())
      }),
    )
  })
  it('detects any flipped bit', () => {
    const sealed = keyring.seal('mail', 'a letter')
    for (let i = 0; i < sealed.length; i++) {
      const altered = Buffer.from(sealed)
      altered[i] = (altered[i] ?? 0) ^ 1
      expect(() => keyring.open('mail', altered)).toThrow()
    }
  })
  it('does not decrypt for another purpose', () => {
    expect(() => keyring.open('totp', keyring.seal('mail', 'x'))).toThrow()
  })
  it('decrypts with an old key after a rotation, but not after the key is removed', () => {
    const sealed = keyring.seal('mail', 'kept')
    expect(makeKeyring('second-secret', ['first-secret-0123456789']).open('mail', sealed)).toBe('kept')
    expect(() => makeKeyring('second-secret').open('mail', sealed)).toThrow('No key')
  })
})

it('tokens are stored as their SHA-256', () => {
  expect(hashToken('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

describe('CSRF tokens', () => {
  it('are valid only for their own cookie', () => {
    const token = makeCsrfToken(keyring, 'mine')
    expect(isCsrfToken(keyring, 'mine', token)).toBe(true)
    expect(isCsrfToken(keyring, 'yours', token)).toBe(false)
    expect(isCsrfToken(makeKeyring('other'), 'mine', token)).toBe(false)
    for (const bad of [undefined, '', '.', 'a', `${token}.x`, [token], 'x'.repeat(5000)])
      expect(isCsrfToken(keyring, 'mine', bad)).toBe(false)
  })
  it('are cached per cookie and key', () => {
    const [token, other] = [makeCsrfToken(keyring, 'mine'), makeCsrfToken(keyring, 'mine')]
    for (let time = 0; time < 2; time++) {
      expect(isKnownToken(keyring, 'mine', token)).toBe(true)
      expect(isKnownToken(keyring, 'mine', other)).toBe(true)
      expect(isKnownToken(keyring, 'yours', token)).toBe(false)
      expect(isKnownToken(makeKeyring('other'), 'mine', token)).toBe(false)
      for (const bad of [undefined, '', 'a', `${token}x`]) expect(isKnownToken(keyring, 'mine', bad)).toBe(false)
    }
  })
})

describe('readCookies', () => {
  it('treats a duplicate name as absent', () => {
    expect([...readCookies('a=1; sid=x; sid=y; b=2')]).toEqual([
      ['a', '1'],
      ['b', '2'],
    ])
    expect(readCookies('sid=x; sid=y; sid=z').has('sid')).toBe(false)
  })
  it('ignores a header that is too long', () => {
    expect(readCookies(`sid=${'x'.repeat(9000)}`).size).toBe(0)
  })
})

describe('sameText', () => {
  it('compares texts of any length', () => {
    expect(sameText('a', 'a')).toBe(true)
    expect(sameText('a', 'ab')).toBe(false)
  })
})
