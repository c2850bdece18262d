import { companyDay } from '@limber/contract/kit/company.ts'
import { onboardStretcher, promoteToStretcher, type Stretcher } from '@limber/contract/stretchers/stretcher.ts'
import type { Work } from '#platform/db/work.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Route, serve } from '#platform/http/routes.ts'
import { createCustomer, lockCustomerByEmail } from '#support/public.ts'
import { finishTrainingIf } from './finish-training.ts'
import { todayAt } from './show-stretcher.ts'
import { presentStretcher } from './stretcher.present.ts'
import { birthProblem } from './stretcher.rules.ts'
import { findExistingStretcher, insertStretcher } from './stretcher-change.queries.ts'
import { findStretcher } from './stretcher-list.queries.ts'
import type { TrainingService } from './training-service.ts'

interface Hired {
  id: number
  userId: number
  needsTraining: boolean
  action: 'stretcher_created' | 'stretcher_promoted'
  after: object
}

const fullName = ({ first_name, last_name }: { first_name: string; last_name: string }) => `${first_name} ${last_name}`

/** Enrolls a new stretcher if needed, and audits and publishes the hire. */
async function completeHire(
  training: TrainingService,
  work: Work,
  { id, userId, needsTraining, action, after }: Hired,
): Promise<{ stretcher: Stretcher; enrolledCourses: number }> {
  const { db, now, audit, publish, emit } = work
  const enrolledCourses = needsTraining ? await training.enroll(db, [userId], now) : 0
  audit({ action, subject: 'stretcher', subjectId: id, after: { ...after, userId, needsTraining, enrolledCourses } })
  emit({ type: 'stretcher.updated', of: 'stretcher', ids: { stretcher: id, customer: userId }, changed: ['status'] })
  publish('stretchers', { stretcher: id })
  const progress = (await training.findProgress(db, [userId])).get(userId)
  // A promoted user may already have completed every required course.
  await finishTrainingIf(work, userId, async () => progress !== undefined && progress.completed === progress.required)
  const row = await findStretcher(db, id, todayAt(now))
  if (!row) throw new Error(`Stretcher ${id} was just created and is missing`)
  return { stretcher: presentStretcher(row, progress), enrolledCourses }
}

export const hireRoutes = (training: TrainingService): Route[] => [
  serve(onboardStretcher, async ({ body, ...context }) => {
    const { db, now } = context
    const { firstName: first_name, lastName: last_name, email, dateOfBirth: date_of_birth, needsTraining } = body
    const fault = birthProblem(date_of_birth, companyDay(now))
    if (fault) throw refuse(onboardStretcher, fault)
    const account = await createCustomer(db, { first_name, last_name, email }, now)
    const person = { zone_id: null, first_name, last_name, email, date_of_birth, needsTraining, now }
    const made = account && (await insertStretcher(db, { ...person, customer_id: account.id }))
    if (!made) {
      const known = await findExistingStretcher(db, { email })
      if (known) throw refuse(onboardStretcher, 'is_stretcher', { values: { name: fullName(known) } })
      throw refuse(onboardStretcher, 'is_user')
    }
    const after = { first_name, last_name, email, date_of_birth }
    const hired = { id: made.id, userId: account.id, needsTraining, action: 'stretcher_created', after } as const
    return { ...(await completeHire(training, context, hired)), message: 'Stretcher account created successfully.' }
  }).expecting({ training_enrolments_course_id_fkey: 'conflict' }),

  serve(promoteToStretcher, async ({ body: { email, needsTraining }, ...context }) => {
    const { db, now } = context
    const account = await lockCustomerByEmail(db, email)
    if (!account) throw refuse(promoteToStretcher, 'no_user')
    if (account.blocked_at) throw refuse(promoteToStretcher, 'blocked')
    const { id: customer_id, first_name, last_name, zone_id } = account
    const person = { customer_id, zone_id, first_name, last_name, email, date_of_birth: null, needsTraining, now }
    const made = await insertStretcher(db, person)
    if (!made) {
      const known =
        (await findExistingStretcher(db, { customerId: customer_id })) ?? (await findExistingStretcher(db, { email }))
      const code = known?.status === 'inactive' ? 'was_stretcher' : 'is_stretcher'
      throw refuse(promoteToStretcher, code, { values: { name: fullName(known ?? account) } })
    }
    const after = { first_name, last_name, email, zone_id }
    const hired = { id: made.id, userId: customer_id, needsTraining, action: 'stretcher_promoted', after } as const
    return { ...(await completeHire(training, context, hired)), message: 'User promoted to stretcher successfully.' }
  }).expecting({ training_enrolments_course_id_fkey: 'conflict' }),
]
