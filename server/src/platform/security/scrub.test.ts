import { describe, expect, it } from 'vitest'
import { breakDown } from './scrub.testing.ts'
import { causeOf, maskAddress, maskPhone, withoutSecrets } from './scrub.ts'

describe('withoutSecrets', () => {
  it.each([
    ['550 5.1.1 <robin.vale@example.com>: user unknown', '550 5.1.1 <r•••@example.com>: user unknown'],
    ['connect ECONNREFUSED smtp://desk:hunter2@mail.example.com', 'connect ECONNREFUSED smtp://•••@mail.example.com'],
    ['GET /onboarding?token=abc failed', 'GET /onboarding?••• failed'],
    ['Your code is 482915.', 'Your code is •••.'],
    ['text to +1 (415) 555-0134 failed', 'text to •••34 failed'],
    ['Bearer dGhpcyBpcyBhIHNlY3JldCB0b2tlbg12 expired', 'Bearer ••• expired'],
    ['no key lmb_AbCdEfGh_abcdefghijklmnopqrstuvwxyz here', 'no key lmb_••• here'],
    ['421 4.7.0 Try again later', '421 4.7.0 Try again later'],
    ['This block is already used or no longer exists.', 'This block is already used or no longer exists.'],
    ['request 5f0c1e7a-1b2c-4d3e-8f90-123456789abc failed', 'request 5f0c1e7a-1b2c-4d3e-8f90-123456789abc failed'],
  ])('turns %j into %j', (text, clean) => {
    expect(withoutSecrets(text)).toBe(clean)
  })
  it('is fast on hostile text', () => {
    const before = process.cpuUsage()
    for (const piece of ['a', 'a@', '+1 ', '-', '://a', '?', '1']) withoutSecrets(piece.repeat(50_000))
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000)
  })
})

describe('masks', () => {
  it('leave enough to recognize', () => {
    expect(maskAddress('robin@example.com')).toBe('r•••@example.com')
    expect(maskAddress('nonsense')).toBe('n•••')
    expect(maskPhone('+1 415 555 0134')).toBe('•••34')
  })
})

describe('causeOf', () => {
  it('returns the kind of error and its location, never its message', () => {
    const error = breakDown('password=hunter2\n at steal (server/src/hunter2.ts:1)')
    expect(causeOf(error)).toBe('TypeError in breakDown, server/src/platform/security/scrub.testing.ts:2')
    const built = Object.assign(new Error('x'), {
      stack: 'Error: x\n    at findRows (file:///app/server/dist/main.js:4121:9)',
    })
    expect(causeOf(built)).toBe('Error in findRows, server/dist/main.js:4121')
    const refused = Object.assign(breakDown('Key (email)=(a@b.c)'), { code: '23505' })
    expect(causeOf(refused)).toMatch(/^TypeError 23505 in breakDown, /)
    expect(causeOf('secret')).toBe('not an error')
  })
})
