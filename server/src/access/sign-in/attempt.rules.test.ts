import { describe, expect, it } from 'vitest'
import {
  ATTEMPT_LIFE,
  DEVICE_LIFE,
  delayAfter,
  describeBrowser,
  FAILURE_MEMORY,
  MAX_TRIES,
  type Stage,
  stuckReason,
} from './attempt.rules.ts'

describe('delayAfter', () => {
  it.each([
    [0, 0],
    [9, 0],
    [10, 30_000],
    [11, 60_000],
    [12, 120_000],
    [16, 1_920_000],
    [17, 3_600_000],
    [1000, 3_600_000],
  ])('%d failures cost %d ms', (failures, delay) => {
    expect(delayAfter(failures)).toBe(delay)
  })
  it('is part of limits in minutes and days', () => {
    expect([ATTEMPT_LIFE, FAILURE_MEMORY, DEVICE_LIFE]).toEqual([600_000, 900_000, 7_776_000_000])
  })
})

describe('stuckReason', () => {
  const now = new Date('2026-05-01T09:00:00Z')
  const attempt = {
    token_hash: Buffer.from('a'),
    stage: 'code_sent' as Stage,
    tries: 0,
    expires_at: new Date(now.getTime() + 1),
  }
  it.each([
    ['unknown_attempt', undefined],
    ['token', { ...attempt, token_hash: Buffer.from('b') }],
    ['dead', { ...attempt, stage: 'dead' as const, expires_at: now }],
    ['expired', { ...attempt, expires_at: now }],
    ['stage_totp_ok', { ...attempt, stage: 'totp_ok' as const }],
    ['tries', { ...attempt, tries: MAX_TRIES }],
    ['limit', { ...attempt, tries: MAX_TRIES - 1 }],
  ])('is %s', (reason, found) => {
    expect(stuckReason(found, Buffer.from('a'), ['code_sent', 'dead'], now)).toBe(reason)
  })
})

describe('describeBrowser', () => {
  it.each([
    ['Mozilla/5.0 (Windows NT 10.0) Chrome/141 Safari/537 Edg/141', 'Edge on Windows'],
    ['Mozilla/5.0 (X11; Linux x86_64) Chrome/141 Safari/537 OPR/120', 'Opera on Linux'],
    ['Mozilla/5.0 (Android 15; Mobile) Firefox/140', 'Firefox on Android'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Chrome/141 Safari/537', 'Chrome on macOS'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18 like Mac OS X) Safari/604', 'Safari on iOS'],
    ['Mozilla/5.0 (iPad; CPU OS 18 like Mac OS X) Safari/604', 'Safari on iOS'],
    ['Firefox/140', 'Firefox'],
    ['curl/8', 'Browser'],
    ['Linux', 'Browser on Linux'],
  ])('reads %s', (userAgent, name) => {
    expect(describeBrowser(userAgent)).toBe(name)
  })
})
