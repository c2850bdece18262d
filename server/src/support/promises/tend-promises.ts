import { codeOf } from '@limber/contract/access/permissions.ts'
import { DAY, shift } from '#platform/clock.ts'
import { type OutboxMessage, runWork, type Work } from '#platform/db/work.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Services } from '#platform/services.ts'
import { keepPromises, replayTickets } from './keep-promises.ts'
import { promiseMails } from './promise.mails.ts'
import {
  type DueRow,
  findDue,
  findOutdated,
  findSettings,
  findStale,
  findTold,
  findUnpromised,
  insertSettings,
  lockTimes,
  takeDue,
} from './promise.queries.ts'

const QUEUE = 'follow-promise-settings'
const BATCH_SIZE = 200
const MAX_BATCHES = 50
/** What was late before somebody looked, for example when targets are set for the first time, is not announced. */
const TOO_OLD = DAY

export const followSettingsMessage = (version: number): OutboxMessage => ({
  channel: 'job',
  key: `promise-settings:${version}`,
  about: `response targets ${version}`,
  payload: { name: QUEUE, data: { version } },
})

/** Computes the open promises anew after the settings changed, in short transactions. It can be repeated at any point. */
export async function followSettings(services: Services, { isFirst }: { isFirst: boolean }): Promise<number> {
  let done = 0
  let last = 0
  let before = 0
  for (let isMore = true; isMore; ) {
    const first = await runWork(services, { call: `job ${QUEUE}` }, async ({ db, now, publish }) => {
      const settings = await findSettings(db)
      if (!settings) return undefined
      const outdated = await findOutdated(db, settings.version, BATCH_SIZE)
      const ids = outdated.length > 0 || !isFirst ? outdated : await findUnpromised(db, last, BATCH_SIZE)
      if (outdated.length === 0) last = ids.at(-1) ?? last
      await replayTickets(db, ids, undefined, now)
      if (ids.length > 0) {
        publish('tickets')
        publish('promises')
      }
      done += ids.length
      return ids[0]
    })
    // A ticket that stays outdated must not be tried forever.
    isMore = first !== undefined && first !== before
    before = first ?? 0
  }
  return done
}

export const followSettingsJob: Job = {
  name: QUEUE,
  run: async (services) => {
    await followSettings(services, { isFirst: true })
  },
}

/** Business hours follow the time zone of the company. */
async function followTimeZone(services: Services) {
  const { timeZone } = services.company.current()
  await runWork(services, { call: 'schedule tend-promises' }, async ({ db, now, audit }) => {
    const settings = await findSettings(db)
    if (!settings || settings.time_zone === timeZone) return
    await insertSettings(db, settings, { version: settings.version + 1, timeZone, workerId: null, at: now })
    audit({
      action: 'promises_moved',
      subject: 'promises',
      before: { zone: settings.time_zone },
      after: { zone: timeZone },
    })
  })
}

/** Computes tickets whose writer did not, such as those that an older version of the product wrote. */
async function computeStale(services: Services) {
  let computed = 0
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const count = await runWork(services, { call: 'schedule tend-promises' }, async ({ db, now, publish }) => {
      const ids = await findStale(db, BATCH_SIZE)
      await replayTickets(db, ids, undefined, now)
      if (ids.length > 0) publish('tickets')
      return ids.length
    })
    computed += count
    if (count < BATCH_SIZE) break
  }
  return computed
}

/** Emails about promises: each person gets one that lists all of theirs. */
async function tell({ db, now, enqueue }: Work, services: Services, what: 'soon' | 'late', due: readonly DueRow[]) {
  const fresh = due.filter(({ due_at }) => due_at >= shift(now, -TOO_OLD))
  if (fresh.length === 0) return
  const assignees = fresh.flatMap(({ assignee_id }) => assignee_id ?? [])
  const people = await findTold(db, assignees, [codeOf('tickets.handle'), codeOf('notifications.send')])
  for (const { is_lead, ...person } of people) {
    // Leads hear what nobody is assigned to, and everything that is late.
    const theirs = fresh.filter(
      ({ assignee_id }) => assignee_id === person.id || (is_lead && (what === 'late' || assignee_id === null)),
    )
    if (theirs.length > 0) enqueue(promiseMails[what](services, person, theirs))
  }
}

/** Announces promises once: their tickets move to the queue, people get an email. */
async function announce(services: Services, what: 'soon' | 'late') {
  let announced = 0
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const found = await runWork(services, { call: 'schedule tend-promises' }, async (work) => {
      const { db, now, publish } = work
      const ids = await findDue(db, what, BATCH_SIZE, now)
      // Tickets are locked before their promises, as by every other writer.
      await lockTimes(db, ids)
      const due = await takeDue(db, what, ids, now)
      await keepPromises(
        db,
        due.map(({ ticket_id }) => ticket_id),
        now,
      )
      await tell(work, services, what, due)
      for (const { ticket_id } of due) publish('tickets', { ticket: ticket_id })
      announced += due.length
      return ids.length
    })
    if (found < BATCH_SIZE) break
  }
  return announced
}

/** Runs every minute. */
export async function tendPromises(services: Services) {
  await followTimeZone(services)
  const computed = (await computeStale(services)) + (await followSettings(services, { isFirst: false }))
  return { computed, soon: await announce(services, 'soon'), late: await announce(services, 'late') }
}
