import { SECOND } from '#platform/clock.ts'
import { runWork, type Work } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import { describeError } from '#platform/telemetry/log.ts'
import { assignFailureGroups } from '#platform/telemetry/take-events.ts'
import { addCounts, addPeople, findUngrouped, lockGrouping, mergeGroups } from './failure.queries.ts'
import { groupKey, summarizeFailures } from './failure.rules.ts'

const BATCH_SIZE = 1_000
const INTERVAL = 2 * SECOND

// Failed calls of the error log itself must not refresh it, or it would loop forever.
const isOfInterest = ({ path }: { path: string }) => !path.startsWith('/api/tech/errors')

/** Groups new failures in the caller's transaction and returns their number. */
export async function groupFailures({ db, now, audit, publish }: Work): Promise<number> {
  if (!(await lockGrouping(db))) return 0
  const rows = await findUngrouped(db, BATCH_SIZE)
  if (rows.length === 0) return 0
  const gathered = summarizeFailures(rows)
  const groups = await mergeGroups(
    db,
    [...gathered.values()].map(({ draft }) => draft),
    now,
  )
  const ofGroup = groups.map((group) => ({ group, added: gathered.get(groupKey(group)) }))
  await addCounts(
    db,
    ofGroup.flatMap(({ group, added }) => added?.counts.map((each) => ({ ...each, group_id: group.id })) ?? []),
  )
  await addPeople(
    db,
    ofGroup.flatMap(({ group, added }) => added?.people.map((each) => ({ ...each, group_id: group.id })) ?? []),
  )
  await assignFailureGroups(
    db,
    groups,
    rows.map(({ id }) => id),
  )
  for (const { id, method, path, status } of groups.filter(({ has_recurred }) => has_recurred)) {
    const reason = `${method} ${path} failed again with status ${status}.`
    audit({ action: 'error_came_again', subject: 'error', subjectId: id, after: { state: 'open' }, reason })
  }
  if (rows.some(isOfInterest)) publish('errors')
  return rows.length
}

/** Groups all new failures in batches. */
export async function groupAllFailures(services: Pick<Services, 'db' | 'clock' | 'keyring'>): Promise<void> {
  const actor = { call: 'error log' }
  while ((await runWork(services, actor, groupFailures)) === BATCH_SIZE) {
    // Continue while batches are full.
  }
}

/** Keeps the error log up to date. Runs in every process; the one with the lock does the work. */
export function startFailureGrouping(services: Services): { close(): Promise<void> } {
  let filing: Promise<void> | undefined
  const timer = setInterval(() => {
    filing ??= groupAllFailures(services)
      .catch((error) => services.log.warn('error log: database unavailable', describeError(error)))
      .finally(() => {
        filing = undefined
      })
  }, INTERVAL)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await filing
    },
  }
}
