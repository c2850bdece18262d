import { EXPIRING_DAYS } from '@limber/contract/certifications/certification.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { readStretcher, type StretcherDetail } from '@limber/contract/stretchers/stretcher.ts'
import { findRequiredCertifications } from '#certifications/public.ts'
import { DAY, shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { presentDetail } from './stretcher.present.ts'
import {
  findHeldCertifications,
  findStretcher,
  findUpcomingSessions,
  type StretcherRecord,
  type Today,
} from './stretcher-list.queries.ts'
import type { TrainingService } from './training-service.ts'

const MAX_SESSIONS = 10

export const todayAt = (now: Date): Today => ({
  now,
  today: companyDay(now),
  soon: companyDay(shift(now, EXPIRING_DAYS * DAY)),
})

export async function loadDetail(
  training: TrainingService,
  db: Db,
  row: StretcherRecord,
  now: Date,
): Promise<StretcherDetail> {
  const { today, soon } = todayAt(now)
  return presentDetail(row, {
    courses: await training.findCourses(db, row.customer_id),
    required: await findRequiredCertifications(db, row.customer_id, today),
    soon,
    certifications: await findHeldCertifications(db, row.customer_id, today),
    sessions: await findUpcomingSessions(db, row.id, now, MAX_SESSIONS),
  })
}

export async function showStretcher(
  training: TrainingService,
  db: Db,
  id: number,
  now: Date,
): Promise<StretcherDetail> {
  const row = await findStretcher(db, id, todayAt(now))
  if (!row) throw refuse(readStretcher, 'not_found')
  return loadDetail(training, db, row, now)
}
