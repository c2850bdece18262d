import { z } from 'zod'
import { defineCall, staleRefusal } from '#kit/call.ts'
import { Id, IdText, Line, Version } from '#kit/values.ts'

/** A tag with the number of its tickets, also closed ones. */
export const TicketTag = z.object({ id: Id, name: z.string(), tickets: z.int(), version: Version })
export type TicketTag = z.infer<typeof TicketTag>

/** Beyond this, nobody finds the right tag. */
export const MAX_TAGS = 500

// Workers who maintain the saved replies also maintain the tags.
const permission = 'notifications.send' as const
const params = z.strictObject({ id: IdText })
const notFound = [404, 'This tag does not exist.'] as const
const nameTaken = [409, 'Another tag has this name.'] as const
const stale = staleRefusal('this tag', TicketTag)

export const listTags = defineCall({
  method: 'GET',
  path: '/api/support/ticket-tags',
  summary: 'Tags of tickets by name, with the number of their tickets',
  permission: 'tickets.handle',
  reply: z.array(TicketTag),
})

export const createTag = defineCall({
  method: 'POST',
  path: '/api/support/ticket-tags',
  summary: 'Create a tag with a unique name',
  permission: 'tickets.handle',
  body: z.strictObject({ name: Line(40) }),
  reply: TicketTag,
  refusals: {
    name_taken: nameTaken,
    too_many: [422, `You have reached the limit of ${MAX_TAGS} tags. Delete one first.`],
  },
})

export const renameTag = defineCall({
  method: 'PUT',
  path: '/api/support/ticket-tags/:id',
  summary: 'Rename a tag on all its tickets',
  permission,
  params,
  body: z.strictObject({ name: Line(40), version: Version }),
  reply: TicketTag,
  refusals: { not_found: notFound, name_taken: nameTaken, stale },
})

export const removeTag = defineCall({
  method: 'POST',
  path: '/api/support/ticket-tags/:id/remove',
  summary: 'Delete a tag, or merge it into another one; its tickets follow in the background',
  permission,
  params,
  body: z.strictObject({ into: Id.nullable(), version: Version }),
  reply: z.object({ id: Id }),
  refusals: {
    not_found: notFound,
    stale,
    itself: [422, 'A tag cannot be merged into itself.'],
    no_target: [422, 'The other tag does not exist anymore.'],
  },
})
