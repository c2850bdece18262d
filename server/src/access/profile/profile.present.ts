import { permissionLabel } from '@limber/contract/access/permission-labels.ts'
import { nameOf } from '@limber/contract/access/permissions.ts'
import type { Device, Passkey, SignedInSession } from '@limber/contract/access/profile/profile.ts'

interface PasskeyRow {
  id: number
  name: string
  created_at: Date
  last_used_at: Date | null
  is_backed_up: boolean
}

export const presentPasskey = (row: PasskeyRow): Passkey => ({
  id: row.id,
  name: row.name,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
  isBackedUp: row.is_backed_up,
})

interface SessionRow {
  id: number
  created_at: Date
  last_seen_at: Date
  address: string | null
  browser: string | null
}

export const presentSession = (row: SessionRow, currentId: number): SignedInSession => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  lastSeenAt: row.last_seen_at.toISOString(),
  address: row.address,
  browser: row.browser,
  isCurrent: row.id === currentId,
})

interface DeviceRow {
  id: number
  label: string
  created_at: Date
  last_used_at: Date
  expires_at: Date
}

export const presentDevice = (row: DeviceRow, currentId: number | null): Device => ({
  id: row.id,
  label: row.label,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  isCurrent: row.id === currentId,
})

/** Permissions with their labels, in the stored order. */
export const presentPermissions = (codes: readonly string[]) =>
  codes.map((code) => {
    const name = nameOf(code)
    return { code, words: name ? permissionLabel(name) : code }
  })
