import { z } from 'zod'
import type { PermissionName } from '#access/permissions.ts'
import { defineCall } from '#kit/call.ts'
import { Money } from '#kit/money.ts'
import { Day, Id, IdText, IntegerText, Moment } from '#kit/values.ts'

/** What the timeline of a customer can be filtered by, in the order of the filters. */
export const timelineGroupLabels = {
  bookings: 'Bookings',
  payments: 'Payments',
  credits: 'Credits',
  tickets: 'Tickets',
  messages: 'Messages',
  notes: 'Notes',
  referrals: 'Leads and referrals',
  training: 'Training',
  account: 'Account',
} as const
export type TimelineGroup = keyof typeof timelineGroupLabels
export const timelineGroups = Object.keys(timelineGroupLabels) as [TimelineGroup, ...TimelineGroup[]]
const Group = z.enum(timelineGroups)

/** A record that an entry leads to. */
export const TimelineLink = z.object({
  to: z.enum(['ticket', 'customer', 'lead', 'certification', 'stretcher', 'session', 'course']),
  id: Id,
})
export type TimelineLink = z.infer<typeof TimelineLink>

/** Something that happened to a customer, as a sentence with its parts. */
export const TimelineEntry = z.object({
  /** Unique among the customer's entries. */
  key: z.string(),
  group: Group,
  kind: z.string(),
  at: Moment,
  /** The start of the sentence, in bold. */
  title: z.string(),
  /** The rest of the sentence. */
  text: z.string(),
  /** What someone wrote, or a remark. */
  quote: z.string().nullable(),
  tone: z.enum(['amber', 'green', 'red', 'teal']).nullable(),
  /** Dollars; negative when they were paid back. */
  amount: Money.nullable(),
  /** A balance before and after. */
  balance: z.tuple([z.int(), z.int()]).nullable(),
  /** A rating of one to five stars. */
  stars: z.int().min(1).max(5).nullable(),
  link: TimelineLink.nullable(),
})
export type TimelineEntry = z.infer<typeof TimelineEntry>

/** Who sees at least one source. Each source also checks its own permissions. */
const permission = [
  'users.overview',
  'users.directory',
  'users.tickets',
  'support.tab',
  'growth.tab',
  'growth.people',
  'training.manage',
  'businesses.manage',
] as const satisfies readonly PermissionName[]
const params = z.strictObject({ id: IdText })
const refusals = { not_found: [404, 'This customer does not exist.'] } as const

export const MAX_TIMELINE_COUNT = 999

export const listTimeline = defineCall({
  method: 'GET',
  path: '/api/support/users/:id/timeline',
  summary: 'Everything that happened to a customer and that the reader may see, newest first',
  permission,
  params,
  query: z.strictObject({
    /** The cursor: `next` of the previous page. */
    before: z
      .string()
      .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z~[a-z_]{1,40}~\d{1,16}$/)
      .optional(),
    group: Group.optional(),
    search: z.string().trim().max(100).default(''),
    /** Only entries of this day and earlier, in the company's time zone. */
    until: Day.optional(),
    /** Without the entries of this ticket, for the column beside it. */
    exceptTicket: IdText.optional(),
    limit: IntegerText(1, 100).default(50),
  }),
  reply: z.object({
    entries: z.array(TimelineEntry),
    next: z.string().nullable(),
    /** What could not be loaded. The entries of all other sources are there. */
    failed: z.array(z.string()),
  }),
  refusals,
})

export const countTimeline = defineCall({
  method: 'GET',
  path: '/api/support/users/:id/timeline/counts',
  summary: 'How many entries a timeline has, for each group that the reader may see',
  permission,
  params,
  reply: z.object({
    /** Counts stop at 999: `isMore` says that there are more. */
    groups: z.array(z.object({ group: Group, count: z.int(), isMore: z.boolean() })),
  }),
  refusals,
})
