import { randomBytes } from 'node:crypto'
import { codeOf, type PermissionName } from '@limber/contract/access/permissions.ts'
import { rolePresets } from '@limber/contract/access/workers/role-presets.ts'
import type { Db } from '#platform/db/db.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'

export interface WorkerDraft {
  name?: string
  email?: string
  role?: string
  permissions?: readonly PermissionName[]
  status?: 'invited' | 'active' | 'disabled'
  createdAt?: Date
}

/** A worker, active by default. The permissions default to those of the role. */
export async function makeWorker(
  db: Db,
  {
    name = 'Robin Vale',
    email = `robin-${randomBytes(4).toString('hex')}@example.com`,
    role,
    permissions,
    status = 'active',
    createdAt = factoryNow(),
  }: WorkerDraft = {},
) {
  const names = permissions ?? (role ? (rolePresets[role] ?? []) : [])
  return db
    .insertInto('workers')
    .values({
      name,
      email,
      role: role ?? null,
      permissions: names.map(codeOf),
      handle: randomBytes(32),
      status,
      totp_secret: null,
      totp_confirmed_at: null,
      multi_device_at: null,
      onboarded_at: status === 'active' ? createdAt : null,
      disabled_at: status === 'disabled' ? createdAt : null,
      created_at: createdAt,
    })
    .returning(['id', 'email', 'name'])
    .executeTakeFirstOrThrow()
}
