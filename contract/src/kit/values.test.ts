import { describe, expect, it } from 'vitest'
import { Day, Email, Instant } from './values.ts'

const read = (text: string) => Email.safeParse(text).data

describe('an email address', () => {
  it.each([
    'ana@example.com',
    'ana+front-desk@example.com',
    "o'neil@example.com",
    'a!#$%&*/=?^_`{|}~-b@example.com',
    'ana@müller.example',
    'ana@xn--mller-kva.example',
    'josé@例子.公司',
  ])('can be %s', (text) => {
    expect(read(text)).toBe(text)
  })
  it('is trimmed, and A to Z is lowercased', () => {
    expect(read(' Ana@EXAMPLE.com\t')).toBe('ana@example.com')
    expect(read('ANA@example.РФ')).toBe('ana@example.РФ')
  })
  it.each([
    '<ana@example.com>',
    'Ana<ana@example.com>',
    'ana@example.com>',
    'ana@example.com,',
    ',ana@example.com',
    'ana@example.com;',
    'team:ana@example.com',
    'ana@example.com:',
    '(at)ana@example.com',
    'ana(desk)@example.com',
    '"ana"@example.com',
    'ana\\@example.com',
    'ana@[10.0.0.1]',
    'ana@example.com,ben@example.com',
    'ana @example.com',
    'ana\u00a0@example.com',
    'ana\u0000@example.com',
    'ana\u0007@example.com',
    'ana\u0085@example.com',
    'ana\u2028@example.com',
    'ana\r\nBcc:ben@example.com',
    'ana@example.com.',
    'ana@example',
    `${'a'.repeat(243)}@example.com`,
  ])('cannot be %j', (text) => {
    expect(read(text)).toBeUndefined()
  })
})

describe('a moment', () => {
  it.each([
    '2026-05-01T09:30:00Z',
    '2026-05-01T09:30Z',
    '2026-05-01T09:30:00.123456789+14:00',
    '2024-02-29T23:59:59-08:00',
    '0001-01-01T00:00:00Z',
    '2000-02-29T00:00:00Z',
  ])('can be %s', (text) => {
    expect(Instant.safeParse(text).success).toBe(true)
  })
  it.each([
    '2026-05-01T09:30:00',
    '2026-05-01',
    '2026-05-01T24:00:00Z',
    '2026-05-01T09:60:00Z',
    '2026-05-01T09:30:60Z',
    '2026-05-01T09:30:00.Z',
    '2026-05-01T09:30:00+15:00',
    '2026-05-01T09:30:00+01:60',
    '2026-00-01T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-05-00T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '2026-05-01T09:30:00Z\n',
  ])('cannot be %s', (text) => {
    expect(Instant.safeParse(text).success).toBe(false)
  })
  it('is on a day that exists, in every month', () => {
    for (let at = Date.UTC(1999, 11, 1); at < Date.UTC(2005, 0, 1); at += 86_400_000) {
      const day = new Date(at).toISOString().slice(0, 10)
      expect(Day.safeParse(day).success, day).toBe(true)
    }
    for (const year of [1999, 2000, 2004, 2100])
      for (let month = 1; month <= 12; month++) {
        const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
        const day = `${year}-${String(month).padStart(2, '0')}-${length + 1}`
        expect(Day.safeParse(day).success, day).toBe(false)
      }
  })
})
