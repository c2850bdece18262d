import { describe, expect, it } from 'vitest'
import { invalidLinkReason, LINK_LIFE, mayAddPasskey, progressOf } from './onboarding.rules.ts'

const now = new Date('2026-05-01T09:00:00Z')
const invite = {
  purpose: 'invite' as const,
  expires_at: new Date(now.getTime() + 1),
  used_at: null,
  revoked_at: null,
  status: 'invited' as const,
}

describe('invalidLinkReason', () => {
  it.each([
    ['unknown_link', undefined],
    ['used_link', { ...invite, used_at: now, revoked_at: now }],
    ['revoked_link', { ...invite, revoked_at: now, expires_at: now }],
    ['expired_link', { ...invite, expires_at: now }],
    ['worker', { ...invite, status: 'active' as const }],
    ['worker', { ...invite, status: 'disabled' as const }],
    ['worker', { ...invite, purpose: 'recovery' as const }],
    [undefined, invite],
    [undefined, { ...invite, purpose: 'recovery' as const, status: 'active' as const }],
  ])('is %s', (reason, link) => {
    expect(invalidLinkReason(link, now)).toBe(reason)
  })
  it('comes after seven days', () => {
    expect(LINK_LIFE).toBe(604_800_000)
  })
})

describe('progress', () => {
  const none = { passkeys: [], totp_confirmed_at: null, multi_device_at: null }
  it('names each part', () => {
    expect(progressOf(none)).toEqual({ hasPasskey: false, has2FA: false, hasMultiDeviceAuth: false })
    expect(progressOf({ passkeys: [1], totp_confirmed_at: now, multi_device_at: now })).toEqual({
      hasPasskey: true,
      has2FA: true,
      hasMultiDeviceAuth: true,
    })
  })
  it.each([
    [0, null, true],
    [1, null, false],
    [0, now, true],
    [1, now, true],
    [2, now, true],
    [3, now, false],
  ])('with %d passkeys and multi-device since %s allows another: %s', (count, multi_device_at, may) => {
    expect(mayAddPasskey({ ...none, passkeys: Array.from({ length: count }), multi_device_at })).toBe(may)
  })
})
