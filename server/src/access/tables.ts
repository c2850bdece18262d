import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, never, never>

declare module '#platform/db.ts' {
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
  }
}
