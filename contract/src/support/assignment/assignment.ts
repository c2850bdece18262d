import { z } from 'zod'
import { type BodyOf, defineCall, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { Day, Id, IdText, Version } from '#kit/values.ts'

const Person = z.object({ id: Id, name: z.string() })

/** Days on which a worker is out of office. */
export const Absence = z.object({
  id: Id,
  worker: Person,
  startsOn: Day,
  endsOn: Day,
  /** Who takes over; null for the queue. */
  substitute: Person.nullable(),
  /** Open tickets go over at the start; otherwise each when its customer writes. */
  handsOver: z.boolean(),
})
export type Absence = z.infer<typeof Absence>

/** A worker may have at most this many open tickets before a queue assigns no more to them. */
export const DEFAULT_MAX_OPEN = 20
export const MAX_MEMBERS = 50
export const MAX_ABSENCES_SHOWN = 100

/** Workers who take turns on the new tickets of a queue. */
export const RoundRobin = z.object({
  /** A shared view; null for all unassigned tickets. */
  view: Person.nullable(),
  isOn: z.boolean(),
  maxOpen: z.int(),
  members: z.array(Person),
  /** 0 before it is first saved. */
  version: Version,
})
export type RoundRobin = z.infer<typeof RoundRobin>

const permission = 'tickets.handle' as const
// Workers who maintain the saved replies also decide who gets which tickets.
const leads = 'notifications.send' as const

export const readAssignment = defineCall({
  method: 'GET',
  path: '/api/support/assignment',
  summary: 'Who takes new tickets of which queue, and who is out of office',
  permission,
  reply: z.object({
    /** Replying to an unassigned ticket assigns it; otherwise it is offered. */
    takesOnReply: z.boolean(),
    /** The worker who asks takes new tickets. */
    takesNew: z.boolean(),
    roundRobins: z.array(RoundRobin),
    workers: z.array(
      Person.extend({
        /** Open tickets that are not snoozed. */
        open: z.int(),
        /** Seen in Limber within the last quarter of an hour. */
        isPresent: z.boolean(),
        takesNew: z.boolean(),
        isAway: z.boolean(),
      }),
    ),
    /** Current and planned ones. */
    absences: z.array(Absence),
  }),
})
export type Assignment = ReplyOf<typeof readAssignment>

export const setTakesOnReply = defineCall({
  method: 'POST',
  path: '/api/support/assignment/on-reply',
  summary: 'Set whether a reply to an unassigned ticket assigns it to the worker who replies',
  permission: leads,
  body: z.strictObject({ takesOnReply: z.boolean() }),
  reply: z.object({ takesOnReply: z.boolean() }),
})

export const saveRoundRobin = defineCall({
  method: 'PUT',
  path: '/api/support/assignment/round-robin',
  summary: 'Set who takes turns on the new tickets of a queue',
  permission: leads,
  body: z.strictObject({
    view: Id.nullable(),
    isOn: z.boolean(),
    maxOpen: z.int().min(1).max(200),
    members: z.array(Id).max(MAX_MEMBERS),
    version: Version,
  }),
  reply: RoundRobin,
  refusals: {
    no_view: [404, 'This view does not exist anymore, or it is not shared.'],
    own_view: [422, 'This view shows assigned tickets only. Choose one with unassigned tickets.'],
    no_assignee: [422, 'One of these workers may not handle tickets.'],
    nobody: [422, 'Select at least one worker.'],
    stale: staleRefusal('this queue', RoundRobin),
  },
})
export type SaveRoundRobin = BodyOf<typeof saveRoundRobin>

export const setTakesNew = defineCall({
  method: 'POST',
  path: '/api/support/assignment/taking',
  summary: 'Set whether I take new tickets',
  permission,
  body: z.strictObject({ takesNew: z.boolean() }),
  reply: z.object({ takesNew: z.boolean() }),
})

export const createAbsence = defineCall({
  method: 'POST',
  path: '/api/support/absences',
  summary: 'Plan days out of office; others need permission to manage assignment',
  permission,
  body: z.strictObject({
    workerId: Id,
    startsOn: Day,
    endsOn: Day,
    substituteId: Id.nullable().default(null),
    handsOver: z.boolean().default(true),
  }),
  reply: Absence,
  refusals: {
    not_yours: [403, 'Ask your team lead to plan days out of office for someone else.'],
    no_assignee: [422, 'This worker may not handle tickets.'],
    no_substitute: [422, 'The substitute may not handle tickets, or is the same person.'],
    past: [422, 'The last day is in the past.'],
    order: [422, 'The last day is before the first day.'],
    overlaps: [409, 'This worker is already out of office on some of these days.'],
  },
})
export type AbsenceDraft = BodyOf<typeof createAbsence>

export const endAbsence = defineCall({
  method: 'DELETE',
  path: '/api/support/absences/:id',
  summary: 'Cancel planned days out of office, or return early; tickets that were handed over stay',
  permission,
  params: z.strictObject({ id: IdText }),
  reply: z.object({ id: Id }),
  refusals: {
    not_found: [404, 'These days were canceled already.'],
    not_yours: [403, 'Ask your team lead to change the days of someone else.'],
  },
})
