import {
  DEFAULT_PROMISES,
  type PromiseDraft,
  type PromiseSettings,
  readPromises,
  savePromises,
} from '@limber/contract/support/promises/promise.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import type { Services } from '#platform/services.ts'
import { countOutdated, findSettings, insertSettings } from './promise.queries.ts'
import { followSettingsMessage } from './tend-promises.ts'

async function show(db: Db, { company }: Pick<Services, 'company'>): Promise<PromiseSettings> {
  const row = await findSettings(db)
  const { timeZone } = company.current()
  if (!row) {
    const nobody = { changedAt: null, changedBy: null, recomputing: 0, version: 0 }
    return { ...DEFAULT_PROMISES, timeZone, ...nobody }
  }
  const { week, holidays, targets, version, saved_at, saved_by } = row
  return {
    week,
    holidays,
    targets,
    timeZone,
    changedAt: saved_at.toISOString(),
    changedBy: saved_by,
    recomputing: await countOutdated(db, version),
    version,
  }
}

const audited = ({ week, holidays, targets }: PromiseDraft) => ({ week, holidays, targets })

export const promiseRoutes = [
  serve(readPromises, ({ db, services }) => show(db, services)),

  serve(savePromises, async ({ body, db, now, worker: { workerId }, audit, publish, enqueue, services }) => {
    const { version, ...draft } = body
    const before = await findSettings(db)
    if (version !== (before?.version ?? 0)) throw refuse(savePromises, 'stale', { current: await show(db, services) })
    const { timeZone } = services.company.current()
    const holidays = draft.holidays.toSorted((a, b) => a.day.localeCompare(b.day))
    await insertSettings(db, { ...draft, holidays }, { version: version + 1, timeZone, workerId, at: now })
    enqueue(followSettingsMessage(version + 1))
    audit({
      action: 'promises_changed',
      subject: 'promises',
      ...(before && { before: audited(before) }),
      after: audited(draft),
    })
    publish('promises')
    return show(db, services)
  }).expecting({ promise_settings_pkey: 'conflict' }),
]
