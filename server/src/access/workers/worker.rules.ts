import { codeOf, permissionNames } from '@limber/contract/access/permissions.ts'
import { rolePresets } from '@limber/contract/access/workers/role-presets.ts'

export const codesOfRole = (role: string | null): string[] => (role ? (rolePresets[role] ?? []).map(codeOf) : [])

/** An Owner must have every permission. */
export const isIncompleteOwner = (role: string | null, codes: readonly string[]) =>
  role === 'Owner' && permissionNames.some((name) => !codes.includes(codeOf(name)))
