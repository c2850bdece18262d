import type { Context } from '#platform/http/routes.ts'
import { lockInTraining, saveStretcher } from './stretcher-change.queries.ts'

/** Activates a stretcher in training when `isDone` says so. Returns whether it did. */
export async function finishTrainingIf(
  { db, now, audit, publish, emit }: Pick<Context, 'db' | 'now' | 'audit' | 'publish' | 'emit'>,
  customerId: number,
  isDone: () => Promise<boolean>,
): Promise<boolean> {
  const id = await lockInTraining(db, customerId)
  if (id === undefined || !(await isDone())) return false
  await saveStretcher(db, id, { status: 'active', trained_at: now })
  audit({
    action: 'stretcher_trained',
    subject: 'stretcher',
    subjectId: id,
    before: { status: 'in_training' },
    after: { status: 'active' },
    reason: 'All required courses are completed.',
  })
  emit({
    type: 'stretcher.updated',
    of: 'stretcher',
    ids: { stretcher: id, customer: customerId },
    changed: ['status'],
  })
  publish('stretchers', { stretcher: id })
  return true
}
