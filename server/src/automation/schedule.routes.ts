import {
  listSchedules,
  pauseSchedule,
  readSchedule,
  resumeSchedule,
  runSchedule,
  type ScheduleDetail,
} from '@limber/contract/automation/schedule.ts'
import type { Work } from '#platform/db/work.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { pause, resume } from '#platform/jobs/change-schedules.ts'
import { insertRun, runMessage } from '#platform/jobs/schedules.ts'
import { presentDetail, presentSchedule } from './schedule.present.ts'
import { findLatestRuns, findSchedules, lockSchedule } from './schedule.queries.ts'

/** Loaded when needed; see the file. */
const dueSchedules = () => import('#platform/jobs/due-schedules.ts')

const SHOWN_RUNS = 20
const SHOWN_NEXT = 3

async function detail({ db, now }: Pick<Work, 'db' | 'now'>, name: string): Promise<ScheduleDetail> {
  const [row] = await findSchedules(db, now, name)
  if (!row) throw refuse(readSchedule, 'not_found')
  const runs = await findLatestRuns(db, SHOWN_RUNS, name)
  const { nextRuns } = await dueSchedules()
  return presentDetail(row, runs, nextRuns(row.cron, row.zone, now, SHOWN_NEXT))
}

export const scheduleRoutes = [
  serve(listSchedules, async ({ db, now }) => {
    const rows = await findSchedules(db, now)
    const newest = new Map((await findLatestRuns(db, 1)).map((run) => [run.schedule, run]))
    return rows.map((row) => presentSchedule(row, newest.get(row.name)))
  }),

  serve(readSchedule, (context) => detail(context, context.params.name)),

  serve(runSchedule, async (context) => {
    const { params, worker, db, now, audit, publish, enqueue } = context
    const schedule = await lockSchedule(db, params.name, now)
    if (!schedule) throw refuse(runSchedule, 'not_found')
    if (schedule.is_under_way) throw refuse(runSchedule, 'under_way')
    const { name, title } = schedule
    const runId = await insertRun(db, name, now, 'worker', worker.workerId)
    enqueue(runMessage(runId, title))
    audit({ action: 'schedule_run', subject: 'schedule', subjectId: name, after: { runId } })
    publish('automation', { schedule: name })
    return detail(context, name)
  }),

  serve(pauseSchedule, async (context) => {
    const { params, body, worker, db, now, audit, publish } = context
    const find = lockSchedule(db, params.name, now)
    const show = () => detail(context, params.name)
    const { name, is_enabled } = await loadForUpdate(pauseSchedule, find, body.version, show)
    if (!is_enabled) throw refuse(pauseSchedule, 'paused')
    await pause(db, name, { workerId: worker.workerId, reason: body.reason }, now)
    const change = { before: { enabled: true }, after: { enabled: false }, reason: body.reason }
    audit({ action: 'schedule_paused', subject: 'schedule', subjectId: name, ...change })
    publish('automation', { schedule: name })
    return show()
  }),

  serve(resumeSchedule, async (context) => {
    const { params, body, db, now, audit, publish } = context
    const find = lockSchedule(db, params.name, now)
    const show = () => detail(context, params.name)
    const { name, cron, zone, is_enabled } = await loadForUpdate(resumeSchedule, find, body.version, show)
    if (is_enabled) throw refuse(resumeSchedule, 'not_paused')
    const { nextRun } = await dueSchedules()
    await resume(db, name, nextRun(cron, zone, now))
    const change = { before: { enabled: false }, after: { enabled: true }, reason: body.reason }
    audit({ action: 'schedule_resumed', subject: 'schedule', subjectId: name, ...change })
    publish('automation', { schedule: name })
    return show()
  }),
]
