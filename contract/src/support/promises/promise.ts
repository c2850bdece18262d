import { z } from 'zod'
import { type BodyOf, defineCall, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { Day, Line, Moment, Version } from '#kit/values.ts'

export const customerRanks = ['Platinum', 'Gold', 'Silver', 'Bronze'] as const
export const CustomerRank = z.enum(customerRanks)
export type CustomerRank = z.infer<typeof CustomerRank>

/** `first`: our first response to a ticket. `next`: each later one. */
export const PromiseKind = z.enum(['first', 'next'])
export type PromiseKind = z.infer<typeof PromiseKind>

/** A promise is soon due when this much business time or less is left. */
export const SOON_MINUTES = 60

const minuteOfDay = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))

/** A time of day, `HH:MM`; `24:00` ends a day. */
const TimeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'must be a time such as 09:00')
const OpenHours = z
  .strictObject({ from: TimeOfDay, to: TimeOfDay })
  .refine(({ from, to }) => minuteOfDay(from) < minuteOfDay(to), { path: ['to'], message: 'must be after the start' })

export const MAX_HOLIDAYS = 100
const Holiday = z.strictObject({ day: Day, name: Line(60) })
export type Holiday = z.infer<typeof Holiday>

const MAX_TARGET_MINUTES = 30 * 24 * 60
/** Minutes of business hours; null for no promise. */
const Target = z.int().min(5).max(MAX_TARGET_MINUTES).nullable()
const byRank = z.strictObject({ Platinum: Target, Gold: Target, Silver: Target, Bronze: Target })
const Targets = z.strictObject({ high: byRank, medium: byRank, low: byRank })

const settings = {
  /** From Sunday on; null for a closed day. */
  week: z
    .array(OpenHours.nullable())
    .length(7)
    .refine((days) => days.some((day) => day !== null), 'must have business hours on at least one day'),
  holidays: z
    .array(Holiday)
    .max(MAX_HOLIDAYS)
    .refine((days) => new Set(days.map(({ day }) => day)).size === days.length, 'has a day twice'),
  targets: z.strictObject({ first: Targets, next: Targets }),
}

const weekday = { from: '09:00', to: '17:00' }
const none = { Platinum: null, Gold: null, Silver: null, Bronze: null }
const noTargets = { high: none, medium: none, low: none }

/** Before somebody sets targets: usual business hours, and nothing promised. */
export const DEFAULT_PROMISES = {
  week: [null, weekday, weekday, weekday, weekday, weekday, null],
  holidays: [],
  targets: { first: noTargets, next: noTargets },
} satisfies Record<keyof typeof settings, unknown>

export const PromiseSettings = z.object({
  ...settings,
  /** Business hours are in the time zone of the company. */
  timeZone: z.string(),
  changedAt: Moment.nullable(),
  changedBy: z.string().nullable(),
  /** Open tickets whose times still follow earlier settings, up to a limit. */
  recomputing: z.int(),
  version: Version,
})
export type PromiseSettings = z.infer<typeof PromiseSettings>

// Workers who may write to many customers at once also maintain the desk's settings.
const permission = 'notifications.send' as const

export const readPromises = defineCall({
  method: 'GET',
  path: '/api/support/promises',
  summary: 'Business hours, holidays and response targets of the support desk',
  permission,
  reply: PromiseSettings,
})

export const savePromises = defineCall({
  method: 'PUT',
  path: '/api/support/promises',
  summary: 'Set business hours, holidays and response targets; open tickets follow in the background',
  permission,
  body: z.strictObject({ ...settings, version: Version }),
  reply: PromiseSettings,
  refusals: { stale: staleRefusal('these settings', PromiseSettings) },
})
export type PromiseDraft = Omit<BodyOf<typeof savePromises>, 'version'>
export type SavedPromises = ReplyOf<typeof savePromises>

/** The newest promise of a ticket. */
export const TicketPromise = z.object({
  kind: PromiseKind,
  priority: z.enum(['low', 'medium', 'high']),
  rank: CustomerRank,
  /** In business hours. */
  targetMinutes: z.int(),
  startedAt: Moment,
  /** Null while it is paused with time left. */
  dueAt: Moment.nullable(),
  /** Business time that is left while it is paused. */
  leftMinutes: z.int().nullable(),
  endedAt: Moment.nullable(),
  /** `unanswered`: the ticket was closed in time, without a response. */
  state: z.enum(['running', 'paused', 'kept', 'missed', 'unanswered']),
  /** Business time until the response; null without one. */
  tookMinutes: z.int().nullable(),
})
export type TicketPromise = z.infer<typeof TicketPromise>
