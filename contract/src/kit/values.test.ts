import { describe, expect, it } from 'vitest'
import { Email } from './values.ts'

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
