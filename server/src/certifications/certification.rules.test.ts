import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addMonths, encodeShortId, parseShortId, publicName, statusOf } from './certification.rules.ts'
import { LIST_BITS, statusBits, statusPosition } from './credential.rules.ts'

describe('statusOf', () => {
  const none = { revoked_at: null, valid_until: null }
  it.each([
    [none, 'valid'],
    [{ ...none, valid_until: '2026-11-16' }, 'valid'],
    [{ ...none, valid_until: '2026-11-15' }, 'expired'],
    [{ revoked_at: new Date(0), valid_until: '2027-01-01' }, 'revoked'],
    [{ revoked_at: new Date(0), valid_until: '2020-01-01' }, 'revoked'],
  ])('%o on 2026-11-16 is %s', (standing, status) => {
    expect(statusOf(standing, '2026-11-16')).toBe(status)
  })
})

describe('addMonths', () => {
  it.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2026-11-16', 24, '2028-11-16'],
    ['2026-12-31', 2, '2027-02-28'],
    ['2023-08-31', 6, '2024-02-29'],
  ])('%s plus %i months is %s', (day, months, later) => {
    expect(addMonths(day, months)).toBe(later)
  })
})

describe('publicName', () => {
  it.each([
    ['Maya Chen', 'Maya', 'Chen', 'Maya C.'],
    ['María José de la Cruz', 'María José', 'de la Cruz', 'María José D.'],
    ['Élodie Ångström', 'Élodie', 'Ångström', 'Élodie Å.'],
    ['Cher', 'Cher', 'Sarkisian', 'Cher'],
    // The certificate has a different name than the account.
    ['Robert Okafor', 'Bob', 'Okafor', 'Robert O.'],
    ['Maya Chen-Ortiz', 'Maya', 'Chen', 'Maya C.'],
    ['Maya Lin Ortiz', 'Maya', 'Chen', 'Maya O.'],
    ['Dana Wu', 'Maya', 'Chen', 'Dana W.'],
    ['  Maya   Chen ', 'Maya', 'Chen', 'Maya C.'],
  ])('%j on the certificate of %s %s is %s', (name, first_name, last_name, shown) => {
    expect(publicName(name, { first_name, last_name })).toBe(shown)
  })
})

describe('short ids', () => {
  it('encode all 80 bits in 16 letters', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 10, maxLength: 10 }), (bytes) => {
        const text = encodeShortId(bytes)
        expect(text).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/)
        expect(parseShortId(text)).toBe(text)
        const bits = [...text].map((letter) => '0123456789abcdefghjkmnpqrstvwxyz'.indexOf(letter))
        const back = bits.reduce((sum, five) => (sum << 5n) | BigInt(five), 0n)
        expect(back.toString(16).padStart(20, '0')).toBe(Buffer.from(bytes).toString('hex'))
      }),
    )
  })
  it('can be typed with hyphens, capitals and look-alike letters', () => {
    expect(parseShortId('ABCD-EFGH-JKMN-PQRS')).toBe('abcdefghjkmnpqrs')
    expect(parseShortId('O0il 1234 5678 9abc')).toBe('0011123456789abc')
  })
  it.each(['', 'abc', 'a'.repeat(17), 'abcdefghjkmnpqr!', 'ABCDEFGHJKMNPQRU', '../../../../../..'])(
    'do not include %j',
    (text) => {
      expect(parseShortId(text)).toBeUndefined()
    },
  )
})

describe('status list', () => {
  it('has one bit per credential, most significant first', () => {
    const bits = statusBits([0, 9, LIST_BITS - 1])
    expect([bits[0], bits[1], bits.at(-1)]).toEqual([0x80, 0x40, 0x01])
    expect(bits).toHaveLength(LIST_BITS / 8)
    expect(statusPosition(LIST_BITS + 5)).toEqual({ list: 1, index: 5 })
  })
})
