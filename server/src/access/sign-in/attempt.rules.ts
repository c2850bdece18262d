export type Stage = 'code_sent' | 'device_ok' | 'passkey_pending' | 'passkey_ok' | 'totp_ok' | 'consumed' | 'dead'

const MINUTE = 60_000

export const ATTEMPT_LIFE = 10 * MINUTE
export const MAX_TRIES = 5
export const MAX_SENDS = 4
export const MAX_STARTS = 10
export const MAX_TOTP_FAILURES = 100
export const DEVICE_LIFE = 90 * 24 * 60 * MINUTE
export const MAX_SESSIONS = 5

const FREE_FAILURES = 10
const FIRST_DELAY = 30_000
const MAX_DELAY = 60 * MINUTE
/** The quiet period after which failures are forgotten. */
export const FAILURE_MEMORY = 15 * MINUTE

/** The delay after a number of failures: none up to nine, then doubling. */
export const delayAfter = (failures: number) =>
  failures < FREE_FAILURES ? 0 : Math.min(FIRST_DELAY * 2 ** Math.min(failures - FREE_FAILURES, 20), MAX_DELAY)

interface Snapshot {
  token_hash: Buffer
  stage: Stage
  tries: number
  expires_at: Date
}

/** Why an attempt could not advance, for the audit log. */
export function stuckReason(
  attempt: Snapshot | undefined,
  tokenHash: Buffer,
  expected: readonly Stage[],
  now: Date,
): string {
  if (!attempt) return 'unknown_attempt'
  if (!attempt.token_hash.equals(tokenHash)) return 'token'
  if (attempt.stage === 'dead') return 'dead'
  if (attempt.expires_at <= now) return 'expired'
  if (!expected.includes(attempt.stage)) return `stage_${attempt.stage}`
  return attempt.tries >= MAX_TRIES ? 'tries' : 'limit'
}

const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const systems = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
] as const

/** A user agent as a readable name. */
export function describeBrowser(userAgent: string): string {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'Browser'
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  return system ? `${browser} on ${system}` : browser
}
