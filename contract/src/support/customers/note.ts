import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { Id, IdText, Moment, Text } from '#kit/values.ts'

export const MAX_NOTE_LENGTH = 5_000

/** A support note about a customer. */
export const UserNote = z.object({
  id: Id,
  note: z.string(),
  staffId: Id,
  staffName: z.string(),
  timestamp: Moment,
})
export type UserNote = z.infer<typeof UserNote>

const permission = ['users.overview', 'users.directory'] as const
const params = z.strictObject({ id: IdText })
const refusals = { not_found: [404, 'This customer does not exist.'] } as const

export const listNotes = defineCall({
  method: 'GET',
  path: '/api/support/users/:id/notes',
  summary: 'Notes about a customer, newest first, at most 200',
  permission,
  params,
  reply: z.array(UserNote),
  refusals,
})

export const addNote = defineCall({
  method: 'POST',
  path: '/api/support/users/:id/notes',
  summary: 'Add a note about a customer',
  permission,
  params,
  body: z.strictObject({ note: Text(MAX_NOTE_LENGTH) }),
  reply: UserNote,
  refusals: { ...refusals, gone: [409, 'This account was erased or merged into another one. No notes can be added.'] },
})
