export const LINK_LIFE = 7 * 24 * 60 * 60 * 1000
export const MAX_LINK_PASSKEYS = 3
/** After this many wrong codes, the secret must be generated again. */
export const MAX_CODE_TRIES = 10

interface LinkFacts {
  purpose: 'invite' | 'recovery'
  expires_at: Date
  used_at: Date | null
  revoked_at: Date | null
  status: 'invited' | 'active' | 'disabled'
}

/** Why a link is invalid, or undefined. The reason is for the audit log. Callers get one text for all. */
export function invalidLinkReason(link: LinkFacts | undefined, now: Date): string | undefined {
  if (!link) return 'unknown_link'
  if (link.used_at) return 'used_link'
  if (link.revoked_at) return 'revoked_link'
  if (link.expires_at <= now) return 'expired_link'
  if (link.status !== (link.purpose === 'invite' ? 'invited' : 'active')) return 'worker'
  return undefined
}

interface Progress {
  passkeys: readonly unknown[]
  totp_confirmed_at: Date | null
  multi_device_at: Date | null
}

export const progressOf = ({ passkeys, totp_confirmed_at, multi_device_at }: Progress) => ({
  hasPasskey: passkeys.length > 0,
  has2FA: totp_confirmed_at !== null,
  hasMultiDeviceAuth: multi_device_at !== null,
})

/** Allows the first passkey, and more once multi-device is on. */
export const mayAddPasskey = ({ passkeys, multi_device_at }: Progress) =>
  passkeys.length === 0 || (multi_device_at !== null && passkeys.length < MAX_LINK_PASSKEYS)
