import { SECOND } from '#platform/clock.ts'
import { runWork, type Work } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import { describeError } from '#platform/telemetry/log.ts'
import { assignFailureGroups } from '#platform/telemetry/take-events.ts'
import { addCounts, addPeople, findUnfiled, mayFile, mergeGroups } from './failure.queries.ts'
import { gatherFailures, groupKey } from './failure.rules.ts'

const AT_ONCE = 1_000
const FILE_EVERY = 2 * SECOND

// Failures of the error log's own calls must not wake it, or it would ask again for ever.
const isOfInterest = ({ path }: { path: string }) => !path.startsWith('/api/tech/errors')

/** Files failures that are in no group yet, in the caller's transaction; says how many. */
export async function fileFailures({ db, now, audit, publish }: Work): Promise<number> {
  if (!(await mayFile(db))) return 0
  const rows = await findUnfiled(db, AT_ONCE)
  if (rows.length === 0) return 0
  const gathered = gatherFailures(rows)
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
  for (const { id, method, path, status } of groups.filter(({ has_come_again }) => has_come_again)) {
    const reason = `${status} of ${method} ${path} came again.`
    audit({ action: 'error_came_again', subject: 'error', subjectId: id, after: { state: 'open' }, reason })
  }
  if (rows.some(isOfInterest)) publish('errors')
  return rows.length
}

/** Files everything that waits, some at a time. */
export async function fileAll(services: Pick<Services, 'db' | 'clock' | 'keyring'>): Promise<void> {
  const actor = { call: 'error log' }
  while ((await runWork(services, actor, fileFailures)) === AT_ONCE) {
    // More may wait.
  }
}

/** Keeps the error log current, in every process; the one that gets the lock does the work. */
export function keepFiling(services: Services): { close(): Promise<void> } {
  let filing: Promise<void> | undefined
  const timer = setInterval(() => {
    filing ??= fileAll(services)
      .catch((error) => services.log.warn('the error log waits for the database', describeError(error)))
      .finally(() => {
        filing = undefined
      })
  }, FILE_EVERY)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await filing
    },
  }
}
