import { inTransaction } from '#platform/db/db.ts'
import { runWork } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import { lockVersion, type PushChange, savePush } from './campaign-push.queries.ts'

/** Somebody edited the campaign while it was on its way. */
export class VersionConflictError extends Error {}

const actor = { call: 'delivery of a campaign' }

/** What whoever holds a push may write of it. */
export function makeHold(services: Services, id: number, lease: string) {
  const { db, clock } = services
  type Writing = { change: PushChange; version: number | undefined }
  const write = async (tx: typeof db, { change, version }: Writing) => {
    if (version !== undefined && (await lockVersion(tx, id)) !== version) throw new VersionConflictError()
    await savePush(tx, id, lease, change, clock.now())
  }
  return {
    save: (change: PushChange) => write(db, { change, version: undefined }),

    /** Unless the campaign was edited since it had this version. Whoever edits it afterwards sees what was begun. */
    saveAt: (version: number, change: PushChange) => inTransaction(db, (tx) => write(tx, { change, version })),

    /** What became of this try, for everybody to see; with a version, unless the campaign was edited since. */
    settle: (change: PushChange, { version, action }: { version?: number; action?: string } = {}) =>
      runWork(services, actor, async ({ db: tx, audit, publish }) => {
        await write(tx, { change, version })
        if (action) audit({ action, subject: 'campaign', subjectId: id, after: change })
        publish('campaigns', { campaign: id })
      }),
  }
}
