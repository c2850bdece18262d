import { redactRoute, redactUrl } from '@limber/contract/kit/redact-url.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

describe('the URL of a usage event', () => {
  it.each([
    ['/api/bookings/58213/cancel', '/api/bookings/58213/cancel'],
    ['/api/bookings/58213?from=app', '/api/bookings/58213'],
    ['/settings/notification-preferences', '/settings/notification-preferences'],
    ['/api/getUserNotificationSettings', '/api/getUserNotificationSettings'],
    ['https://app.example/verify/summer', 'https://app.example/verify/summer'],
    ['https://jane:secret@app.example/x', 'https://app.example/x'],
    ['/people/jane@example.com/bookings', '/people/:id/bookings'],
    ['/people/jane%40example.com', '/people/:id'],
    ['/call/+19515550142', '/call/:id'],
    ['/unsubscribe/bm90LXJlYWw', '/unsubscribe/:id'],
    ['/verify/szgmrxvmbcmfdabc', '/verify/:id'],
    ['/verify/szgm5rxvmbcm7fd6/credential', '/verify/:id/credential'],
    ['/onboarding?token=abcdefghijkl', '/onboarding'],
    ['/calendar/AbCdEfGh.ics', '/calendar/:id'],
    ['/reset-password#token=abc', '/reset-password'],
    ['/u/3f2504e0-4f89-41d3-9a0c-0305e82c3301', '/u/:id'],
    ['?', ''],
  ])('%s is stored as %s', (url, stored) => expect(redactUrl(url)).toBe(stored))

  it('never contains a 128-bit token', () => {
    const token = fc.uint8Array({ minLength: 16, maxLength: 40 }).map((bytes) => Buffer.from(bytes))
    const encoding = fc.constantFrom('base64url' as const, 'hex' as const)
    fc.assert(
      fc.property(token, encoding, fc.constantFrom('x', 'unsubscribe', 'api'), (bytes, how, before) => {
        // Repeated bytes can look like a word; tokens are random.
        fc.pre(new Set(bytes).size > 8)
        const secret = bytes.toString(how)
        expect(redactUrl(`/${before}/${secret}?t=${secret}#${secret}`)).toBe(`/${before}/:id`)
      }),
    )
  })

  it('is processed quickly even when it is very long', () => {
    expect(redactUrl(`/${'a-'.repeat(50_000)}/${'/'.repeat(1000)}`).length).toBeGreaterThan(0)
  })
})

describe('the URL of a call', () => {
  it.each([
    ['/api/support/tickets/:id/notes', { id: '17' }, '/api/support/tickets/17/notes'],
    ['/api/unsubscribe/:token', { token: 'bm90LXJlYWw' }, '/api/unsubscribe/:token'],
    ['/api/verify/:shortId', { shortId: '1234567890123456' }, '/api/verify/:shortId'],
    ['/api/maintenance/schedules/:name/pause', { name: 'backup' }, '/api/maintenance/schedules/backup/pause'],
    ['/api/zones/list', undefined, '/api/zones/list'],
  ])('%s', (route, params, stored) => expect(redactRoute(route, params)).toBe(stored))
})
