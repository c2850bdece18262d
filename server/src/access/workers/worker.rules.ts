import { codeOf, permissionNames } from '@limber/contract/access/permissions.ts'
import { rolePresets } from '@limber/contract/access/workers/role-presets.ts'

/** The codes of a role. */
export const codesOfRole = (role: string | null): string[] => (role ? (rolePresets[role] ?? []).map(codeOf) : [])

/** An Owner holds everything; a role that says so and a list that does not would contradict each other. */
export const isContradiction = (role: string | null, codes: readonly string[]) =>
  role === 'Owner' && permissionNames.some((name) => !codes.includes(codeOf(name)))
