import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, never, never>

/** A passkey registered in a sign-in attempt, kept there until the attempt succeeds. */
export interface PendingPasskey {
  credentialId: string
  publicKey: string
  counter: number
  transports: string[]
  isBackupEligible: boolean
  isBackedUp: boolean
  aaguid: string
  name: string
}

export type Stage = 'code_sent' | 'device_ok' | 'passkey_pending' | 'passkey_ok' | 'totp_ok' | 'consumed' | 'dead'

declare module '#platform/db/db.ts' {
  interface Tables {
    workers: {
      id: Fixed<number>
      email: string
      name: string
      role: string | null
      permissions: Generated<string[]>
      handle: Buffer
      status: Generated<'invited' | 'active' | 'disabled'>
      totp_secret: Buffer | null
      totp_confirmed_at: Date | null
      totp_last_step: Generated<number>
      totp_failures: Generated<number>
      multi_device_at: Date | null
      onboarded_at: Date | null
      disabled_at: Date | null
      version: Generated<number>
      created_at: Date
    }
    devices: {
      id: Fixed<number>
      worker_id: number
      token_hash: Buffer
      label: string
      created_at: Date
      last_used_at: Date
      expires_at: Date
      revoked_at: Date | null
    }
    sessions: {
      id: Fixed<number>
      token_hash: Buffer
      worker_id: number
      device_id: number | null
      created_at: Date
      last_seen_at: Date
      stepped_up_at: Date | null
      ended_at: Date | null
      ended_reason: string | null
      address: string | null
      browser: string | null
    }
    onboarding_links: {
      id: Fixed<number>
      worker_id: number
      token_hash: Buffer
      purpose: 'invite' | 'recovery'
      created_at: Date
      expires_at: Date
      used_at: Date | null
      revoked_at: Date | null
      totp_secret: Buffer | null
      totp_confirmed_at: Date | null
      totp_last_step: Generated<number>
      totp_tries: Generated<number>
      multi_device_at: Date | null
    }
    passkeys: {
      id: Fixed<number>
      worker_id: number
      link_id: number | null
      credential_id: Buffer
      public_key: Buffer
      counter: number
      transports: Generated<string[]>
      is_backup_eligible: boolean
      is_backed_up: boolean
      aaguid: string
      name: string
      created_at: Date
      confirmed_at: Date | null
      last_used_at: Date | null
      revoked_at: Date | null
    }
    passkey_challenges: { challenge: string; owner: string; purpose: 'create' | 'get'; expires_at: Date }
    sign_in_attempts: {
      id: Fixed<number>
      worker_id: number | null
      email: string
      user_key: string
      device_key: string
      device_id: number | null
      flow_hash: Buffer
      token_hash: Buffer
      stage: Stage
      code_mac: string | null
      sends: Generated<number>
      starts: Generated<number>
      tries: Generated<number>
      pending_passkey: ColumnType<PendingPasskey | null, string | null, string | null>
      passkey_id: number | null
      passkey_counter: number | null
      passkey_backed_up: boolean | null
      device_ok_at: Date | null
      passkey_ok_at: Date | null
      totp_ok_at: Date | null
      consumed_at: Date | null
      dead_reason: string | null
      created_at: Date
      expires_at: Date
    }
    sign_in_failures: { key: string; failures: number; last_failed_at: Date; blocked_until: Date | null }
    recovery_codes: {
      id: Fixed<number>
      worker_id: number
      code_hash: Buffer
      created_at: Date
      used_at: Date | null
    }
    recovery_requests: {
      id: Fixed<number>
      worker_id: number
      state: Generated<'open' | 'approved' | 'denied' | 'closed'>
      address: string | null
      created_at: Date
      expires_at: Date
      decided_by: number | null
      decided_at: Date | null
    }
    totp_replacements: { worker_id: number; secret: Buffer; tries: Generated<number>; created_at: Date }
    sample_keys: { key_hash: Buffer; worker_id: number; expires_at: Date; used_at: Date | null }
  }
}
