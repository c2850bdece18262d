import { inTransaction } from '#platform/db/db.ts'
import { runWork } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import { lockVersion, type PushChange, savePush } from './campaign-push.queries.ts'

/** Someone edited the campaign during the push. */
export class VersionConflictError extends Error {}

const actor = { call: 'delivery of a campaign' }

/** Writes the progress of a push for the holder of its lease. */
export function makePushWriter(services: Services, id: number, lease: string) {
  const { db, clock } = services
  type Writing = { change: PushChange; version: number | undefined }
  const write = async (tx: typeof db, { change, version }: Writing) => {
    if (version !== undefined && (await lockVersion(tx, id)) !== version) throw new VersionConflictError()
    await savePush(tx, id, lease, change, clock.now())
  }
  return {
    save: (change: PushChange) => write(db, { change, version: undefined }),

    /** Saves only if the campaign still has this version. Later edits then see the started step. */
    saveAt: (version: number, change: PushChange) => inTransaction(db, (tx) => write(tx, { change, version })),

    /** Saves and publishes the outcome; with a version, only if the campaign was not edited since. */
    settle: (change: PushChange, { version, action }: { version?: number; action?: string } = {}) =>
      runWork(services, actor, async ({ db: tx, audit, publish }) => {
        await write(tx, { change, version })
        if (action) audit({ action, subject: 'campaign', subjectId: id, after: change })
        publish('campaigns', { campaign: id })
      }),
  }
}
