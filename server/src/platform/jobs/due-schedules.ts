import { companyZone } from '@limber/contract/kit/company.ts'
import { CronExpressionParser } from 'cron-parser'
import { type Db, inTransaction } from '../db/db.ts'
import type { Services } from '../services.ts'
import { insertRun, type Schedule } from './schedules.ts'

// Import this file where it is used: its library of dates would delay the start of the server.

const readCron = (cron: string, zone: string, after: Date) =>
  CronExpressionParser.parse(cron, { currentDate: after, tz: zone })

export const nextRun = (cron: string, zone: string, after: Date): Date => readCron(cron, zone, after).next().toDate()

export const nextRuns = (cron: string, zone: string, after: Date, count: number): Date[] =>
  readCron(cron, zone, after)
    .take(count)
    .map((at) => at.toDate())

/** The name of a schedule's time zone. */
const zoneOf = (zone: string) => (zone === 'company' ? companyZone() : zone)

/** Throws when a schedule is invalid. */
export function checkSchedules(schedules: readonly Schedule[], now: Date) {
  const names = new Set<string>()
  for (const { name, cron, zone } of schedules) {
    if (names.has(name)) throw new Error(`Two schedules are named ${name}`)
    names.add(name)
    try {
      readCron(cron, zoneOf(zone), now)
    } catch (error) {
      throw new Error(
        `The schedule ${name} is invalid: "${cron}" in ${zone} (${error instanceof Error ? error.message : error})`,
      )
    }
  }
}

/** Syncs the table with the code. A pause and its reason survive a release. */
export async function syncSchedules(db: Db, schedules: readonly Schedule[], now: Date) {
  for (const { name, title, cron, zone: given } of schedules) {
    const zone = zoneOf(given)
    const next_run_at = nextRun(cron, zone, now)
    await db
      .insertInto('schedules')
      .values({ name, title, cron, zone, next_run_at, paused_by: null, paused_at: null, paused_reason: null })
      .onConflict((clash) =>
        clash
          .column('name')
          .doUpdateSet({ title, cron, zone, next_run_at })
          .where((row) =>
            row.or([
              row('schedules.cron', '!=', cron),
              row('schedules.zone', '!=', zone),
              row('schedules.title', '!=', title),
            ]),
          ),
      )
      .execute()
  }
  if (schedules.length > 0) {
    const known = schedules.map((schedule) => schedule.name)
    await db.deleteFrom('schedules').where('name', 'not in', known).execute()
  }
}

/** Creates one run per due schedule, in whichever process claims it first. */
export async function claimDueSchedules(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  queue: (tx: Db, runId: number) => Promise<void>,
) {
  const now = clock.now()
  const due = await db
    .selectFrom('schedules')
    .select(['name', 'cron', 'zone', 'next_run_at'])
    .where('is_enabled', '=', true)
    .where('next_run_at', '<=', now)
    .execute()
  for (const schedule of due) {
    await inTransaction(db, async (tx) => {
      const claimed = await tx
        .updateTable('schedules')
        .set({ next_run_at: nextRun(schedule.cron, schedule.zone, now) })
        .where('name', '=', schedule.name)
        .where('next_run_at', '<=', now)
        .where('is_enabled', '=', true)
        .returning('name')
        .executeTakeFirst()
      if (!claimed) return
      await queue(tx, await insertRun(tx, schedule.name, schedule.next_run_at, 'schedule'))
    })
  }
}
