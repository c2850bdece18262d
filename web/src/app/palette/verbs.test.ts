import { calls } from '@limber/contract/calls.ts'
import { isMutation } from '@limber/contract/kit/call.ts'
import { describe, expect, it } from 'vitest'
import { headOf } from './verb-commands.ts'
import { allVerbs } from './verbs.ts'

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** Started by hand, but not from the palette, each with the reason. */
const without: Readonly<Record<string, readonly string[]>> = {
  'It is a step of something that a verb starts.': [
    'POST /api/auth/step-up/start',
    'POST /api/auth/step-up/finish',
    'POST /api/profile/passkeys/finish',
    'POST /api/profile/authenticator/confirm',
    'POST /api/import-maps',
    'DELETE /api/import-maps/:id',
  ],
  'It happens while a record is open, without a decision.': ['POST /api/support/tickets/:id/presence'],
  'It belongs to an editor: what is edited is only on its screen.': [
    'PUT /api/training/lessons/:id',
    'POST /api/training/lessons/:id/questions',
    'POST /api/training/assets/upload',
    'POST /api/training/assets/bulk-upload',
    'POST /api/training/assets/delete',
    'POST /api/support/saved-replies',
    'PUT /api/support/saved-replies/:id',
    'DELETE /api/support/saved-replies/:id',
  ],
  'It belongs to a list that is filtered or selected on its screen.': [
    'POST /api/support/tickets/change-many',
    'POST /api/support/ticket-views',
    'PUT /api/support/ticket-views/:id',
    'DELETE /api/support/ticket-views/:id',
    'POST /api/support/ticket-tags',
    'PUT /api/support/ticket-tags/:id',
    'POST /api/support/ticket-tags/:id/remove',
    'POST /api/support/ticket-tasks/:id/done',
    'POST /api/support/tickets/:id/unread',
    'POST /api/support/email-logs/:id/reveal',
    'DELETE /api/support/files/:id',
  ],
  'It takes back a change; Undo stands beside the change.': [
    'POST /api/history/changes/:id/restore',
    'POST /api/history/undo',
  ],
  'The palette has it among its actions.': ['POST /api/auth/sign-out'],
}

/** Not for people: programs with a key, or nobody who is signed in yet. */
const isForPeople = ({ permission }: { permission: unknown }) =>
  !['api-key', 'public', 'attempt', 'signed-in-or-key'].includes(String(permission))

describe('the verbs of the palette', () => {
  it('reach every change that a person starts by hand, or there is a reason', () => {
    const reached = new Set(allVerbs.flatMap((verb) => verb.calls))
    const mutations = calls.filter((call) => isMutation(call) && isForPeople(call)).map(nameOf)
    const excused = Object.values(without).flat()
    // Neither list is empty by mistake.
    expect(mutations.length).toBeGreaterThan(180)
    expect(reached.size).toBeGreaterThan(150)
    expect(mutations.filter((name) => !reached.has(name) && !excused.includes(name))).toEqual([])
    // Nothing is named that does not exist, or twice.
    expect([...reached, ...excused].filter((name) => !mutations.includes(name))).toEqual([])
    expect(excused.filter((name) => reached.has(name))).toEqual([])
  })

  it('have their own ids and titles, and an argument or an act', () => {
    expect(new Set(allVerbs.map(({ id }) => id)).size).toBe(allVerbs.length)
    expect(new Set(allVerbs.map(headOf)).size).toBe(allVerbs.length)
    for (const { title, options, sentence, run } of allVerbs) {
      expect([title, options !== undefined]).toEqual([title, title.endsWith('…')])
      expect([title, (sentence ?? run) !== undefined]).toEqual([title, options === undefined])
    }
  })

  it('ask for no less than their calls', () => {
    const permissionOf = new Map(calls.map((call) => [nameOf(call), call.permission]))
    const listed = (permission: unknown) => (Array.isArray(permission) ? permission : [permission])
    for (const { title, permission, calls: made } of allVerbs)
      for (const name of made) {
        const allowed = listed(permissionOf.get(name))
        const refused = allowed.includes('signed-in') ? [] : listed(permission).filter((one) => !allowed.includes(one))
        // Whoever sees the verb may send each of its calls.
        expect([title, name, refused]).toEqual([title, name, []])
      }
  })
})
