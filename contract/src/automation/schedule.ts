import { z } from 'zod'
import { defineCall, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Id, Moment, Text, Version } from '#kit/values.ts'

/** `refused`: skipped because the previous run was still in progress. */
export const RunState = z.enum(['waiting', 'running', 'done', 'failed', 'refused'])
export type RunState = z.infer<typeof RunState>

export const ScheduleRun = z.object({
  id: Id,
  dueAt: Moment,
  /** `worker`: started with Run now. */
  trigger: z.enum(['schedule', 'worker']),
  by: z.string().nullable(),
  startedAt: Moment.nullable(),
  endedAt: Moment.nullable(),
  state: RunState,
  /** Milliseconds. Null while it runs. */
  duration: z.int().nullable(),
  /** More than one when the run was retried after its process was lost. */
  tries: z.int(),
  error: z.string().nullable(),
  result: z.json().meta({ id: 'Json' }),
})
export type ScheduleRun = z.infer<typeof ScheduleRun>

export const Schedule = z.object({
  name: z.string(),
  enabled: z.boolean(),
  /** Null while paused. */
  nextRun: Moment.nullable(),
  /** Says what the schedule does. */
  title: z.string(),
  cron: z.string(),
  /** The cron expression in plain English. */
  words: z.string(),
  /** Time zone of the cron expression. */
  zone: z.string(),
  lastRun: ScheduleRun.nullable(),
  lastError: z.object({ at: Moment, text: z.string() }).nullable(),
  /** A run is waiting or running, so another one cannot be started. */
  isUnderWay: z.boolean(),
  pausedBy: z.string().nullable(),
  pausedAt: Moment.nullable(),
  pausedReason: z.string().nullable(),
  version: Version,
})
export type Schedule = z.infer<typeof Schedule>

export const ScheduleDetail = Schedule.extend({
  /** The last 20, newest first. */
  runs: z.array(ScheduleRun),
  /** The next three. Empty while paused. */
  nextRuns: z.array(Moment),
})
export type ScheduleDetail = z.infer<typeof ScheduleDetail>

const params = z.strictObject({ name: z.string().regex(/^[a-z][a-z0-9-]{0,63}$/, 'must be a schedule name') })
const reasonBody = z.strictObject({ reason: Text(300), version: Version.optional() })
const notFound = [404, 'This schedule does not exist.'] as const
const stale = staleRefusal('this schedule', ScheduleDetail)

export const listSchedules = defineCall({
  method: 'GET',
  path: '/api/maintenance/schedules',
  summary: 'List all schedules with their next and last runs',
  permission: 'automation.manage',
  reply: z.array(Schedule),
})

export const exportSchedules = exportCall(listSchedules, 'schedules')

export const readSchedule = defineCall({
  method: 'GET',
  path: '/api/maintenance/schedules/:name',
  summary: 'One schedule with its last 20 and next 3 runs',
  permission: 'automation.manage',
  params,
  reply: ScheduleDetail,
  refusals: { not_found: notFound },
})

/** Also works while the schedule is paused. */
export const runSchedule = defineCall({
  method: 'POST',
  path: '/api/maintenance/schedules/:name/run',
  summary: 'Run a schedule now',
  permission: 'automation.manage',
  params,
  body: z.strictObject({}),
  reply: ScheduleDetail,
  refusals: { not_found: notFound, under_way: [409, 'This schedule is already running. Wait for the run to finish.'] },
})

export const pauseSchedule = defineCall({
  method: 'POST',
  path: '/api/maintenance/schedules/:name/pause',
  summary: 'Pause a schedule; workers can still run it',
  permission: 'automation.manage',
  params,
  body: reasonBody,
  reply: ScheduleDetail,
  refusals: { not_found: notFound, stale, paused: [409, 'This schedule is already paused.'] },
})

export const resumeSchedule = defineCall({
  method: 'POST',
  path: '/api/maintenance/schedules/:name/resume',
  summary: 'Resume a paused schedule; missed runs are skipped',
  permission: 'automation.manage',
  params,
  body: reasonBody,
  reply: ScheduleDetail,
  refusals: { not_found: notFound, stale, not_paused: [409, 'This schedule is not paused.'] },
})
