import { randomUUID } from 'node:crypto'
import { SECOND } from '#platform/clock.ts'
import { isUnavailable } from '#platform/db/db.ts'
import { runWork } from '#platform/db/work.ts'
import { keepAlive } from '#platform/jobs/lease.ts'
import type { MakeBatch } from '#platform/sync/resource-routes.ts'
import { describeError } from '#platform/telemetry/log.ts'
import { UnreadableFile } from '../file/decode-file.ts'
import { findImport } from '../imports.queries.ts'
import { applyPlan } from './apply-plan.ts'
import { checkFile } from './check-file.ts'
import { actorOf, type ImportServices } from './import-target.ts'
import { beat, claimImport, endRun, isRunState, type Run, Stopped } from './run.queries.ts'
import { undoRows } from './undo-import.ts'

export type ImportTargets = () => ReadonlyMap<string, MakeBatch>

const steps = { checking: checkFile, applying: applyPlan, undoing: undoRows }

const BEAT_EVERY = 5 * SECOND

/** Another process works on the import, or died a moment ago. */
export class Claimed extends Error {}

/** Does what an import waits for: its check, its apply or its undo. Another process goes on when this one dies. */
export async function runImport(services: ImportServices, targets: ImportTargets, id: number) {
  const { db, log } = services
  const runner = randomUUID()
  const isClaimed = await claimImport(db, id, runner)
  const row = await findImport(db, id)
  if (!row || !isRunState(row.state)) return
  if (!isClaimed) throw new Claimed(`Import ${id} is in use`)
  const run: Run = { id, state: row.state, runner }
  const makeBatch = targets().get(row.resource)
  if (!makeBatch) throw new Error(`${row.resource} cannot be imported`)
  const target = makeBatch(services, row.source)
  const step = steps[row.state]
  try {
    await keepAlive(
      log,
      BEAT_EVERY,
      () => beat(db, run),
      () => step(services, target, row, run),
    )
  } catch (error) {
    if (error instanceof Stopped) return
    // The job runs again when the database is back.
    if (isUnavailable(error)) throw error
    const isFault = !(error instanceof UnreadableFile)
    if (isFault) log.error('import failed', { job: `import ${id}`, ...describeError(error) })
    const text = isFault ? 'Something went wrong. What was written so far can be undone.' : error.message
    await runWork(services, actorOf(row), async ({ db: tx, publish }) => {
      await endRun(tx, run, { state: 'failed', error: text })
      publish('imports', { id })
    })
  }
}
