import { codeOf, permissionNames } from '@limber/contract/access/permissions.ts'
import { rolePresets } from '@limber/contract/access/workers/role-presets.ts'
import { expect, it } from 'vitest'
import { codesOfRole, isIncompleteOwner } from './worker.rules.ts'

const all = permissionNames.map(codeOf)

it('gives the codes of a role', () => {
  const [role, names] = Object.entries(rolePresets).find(([, list]) => list.length > 0) ?? ['', []]
  expect(codesOfRole(role)).toEqual(names.map(codeOf))
  expect(codesOfRole('Nobody')).toEqual([])
  expect(codesOfRole(null)).toEqual([])
})
it('finds an Owner without every permission', () => {
  expect(isIncompleteOwner('Owner', all)).toBe(false)
  expect(isIncompleteOwner('Owner', all.slice(1))).toBe(true)
  expect(isIncompleteOwner('Owner', [])).toBe(true)
  expect(isIncompleteOwner('Support', [])).toBe(false)
  expect(isIncompleteOwner(null, [])).toBe(false)
})
