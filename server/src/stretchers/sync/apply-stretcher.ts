import type { ItemError } from '@limber/contract/kit/batch.ts'
import type { StretcherItem } from '@limber/contract/stretchers/sync/stretcher-sync.ts'
import { invalid, itemError } from '#platform/sync/item-errors.ts'
import { birthProblem, countOf } from '../stretcher.rules.ts'
import type { LockedStretcher, SyncedStretcher } from './stretcher-sync.queries.ts'

const birthTexts = {
  bad_birth: invalid('date_of_birth', 'is not a valid date of birth'),
  too_young: itemError('date_of_birth', 'too_young', 'A stretcher must be at least 18 years old.'),
}

export interface Moments {
  now: Date
  today: string
}

type Hired = Pick<SyncedStretcher, 'status' | 'hired_at' | 'trained_at' | 'deactivated_at'>

/** How a stretcher starts. Without a status, they start in training, as on the screen. */
export function startOf({ status = 'in_training', hired_at }: StretcherItem, now: Date): Hired {
  const hired = hired_at === undefined ? now : new Date(hired_at)
  return {
    status,
    hired_at: hired,
    trained_at: status === 'in_training' ? null : hired,
    deactivated_at: status === 'inactive' ? now : null,
  }
}

/** True when staff deactivated the stretcher after the version of the item: they stay inactive. */
const isKeptInactive = (status: StretcherItem['status'], updatedAt: Date | null, before: LockedStretcher) =>
  status !== undefined &&
  status !== 'inactive' &&
  before.deactivated_at !== null &&
  before.deactivated_by !== null &&
  (updatedAt === null || updatedAt < before.deactivated_at)

/** Changes the status as the screens do. Says what is wrong with it, and whether staff's decision was kept. */
function applyStatus(
  { status }: StretcherItem,
  updatedAt: Date | null,
  before: LockedStretcher,
  after: SyncedStretcher,
  now: Date,
): { isKept: boolean; fault?: ItemError } {
  if (isKeptInactive(status, updatedAt, before)) return { isKept: true }
  if (status === undefined || status === before.status) return { isKept: false }
  if (status === 'inactive') {
    if (before.onsite > 0) {
      const what = countOf('onsite', before.onsite)
      const text = `This stretcher has ${what} scheduled. Assign another stretcher or cancel first.`
      return { isKept: false, fault: itemError('status', 'has_onsite', text) }
    }
    Object.assign(after, { status, deactivated_at: now })
    return { isKept: false }
  }
  if (status === 'in_training' && before.trained_at !== null)
    return { isKept: false, fault: invalid('status', 'The training of this stretcher has ended.') }
  const activated = { deactivated_at: null, deactivated_reason: null, deactivated_by: null }
  Object.assign(after, { status, ...activated, trained_at: status === 'active' ? (before.trained_at ?? now) : null })
  return { isKept: false }
}

/** The stretcher with the fields of the item, beside name and contact. */
export function applyToStretcher(
  { fields, updatedAt }: { fields: StretcherItem; updatedAt: Date | null },
  before: LockedStretcher,
  { now }: Moments,
): { after: SyncedStretcher; errors: ItemError[]; kept: string[] } {
  const { id: _, onsite, ...after } = before
  const errors: ItemError[] = []
  if (fields.date_of_birth !== undefined) after.date_of_birth = fields.date_of_birth
  if (fields.zone_id !== undefined && fields.zone_id !== before.zone_id) {
    after.zone_id = fields.zone_id
    if (onsite > 0) {
      const text = `This stretcher has ${countOf('onsite', onsite)} scheduled. Assign another stretcher first.`
      errors.push(itemError('zone_id', 'has_onsite', text))
    }
  }
  if (fields.hired_at !== undefined) {
    after.hired_at = new Date(fields.hired_at)
    // Without training, work began on the day of the hire, and moves with it.
    if (before.trained_at?.getTime() === before.hired_at.getTime()) after.trained_at = after.hired_at
  }
  const { isKept, fault } = applyStatus(fields, updatedAt, before, after, now)
  if (fault) errors.push(fault)
  return { after, errors, kept: isKept ? ['status'] : [] }
}

/** What is wrong with a stretcher as they would be saved. */
export function faultsOf(fields: StretcherItem, after: SyncedStretcher, { now, today }: Moments): ItemError[] {
  const errors: ItemError[] = []
  const birth = fields.date_of_birth ? birthProblem(fields.date_of_birth, today) : undefined
  if (birth) errors.push(birthTexts[birth])
  if (after.hired_at > now) errors.push(invalid('hired_at', 'must not be in the future'))
  else if ((after.trained_at ?? after.hired_at) < after.hired_at)
    errors.push(invalid('hired_at', 'must not be after the end of training'))
  else if ((after.deactivated_at ?? after.hired_at) < after.hired_at)
    errors.push(invalid('hired_at', 'must not be after the day of leaving'))
  return errors
}
