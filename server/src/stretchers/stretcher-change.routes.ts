import { companyDay } from '@limber/contract/kit/company.ts'
import {
  activateStretcher,
  deactivateStretcher,
  finishTraining,
  updateStretcher,
} from '@limber/contract/stretchers/stretcher.ts'
import type { Db } from '#platform/db/db.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Route, serve } from '#platform/http/routes.ts'
import { releaseBookings, renameCustomer } from '#support/public.ts'
import { loadDetail, showStretcher, todayAt } from './show-stretcher.ts'
import { birthProblem, countOf } from './stretcher.rules.ts'
import { lockZone, saveStretcher } from './stretcher-change.queries.ts'
import { lockStretcher, type StretcherRecord } from './stretcher-list.queries.ts'
import type { TrainingService } from './training-service.ts'

type ChangeCall = typeof updateStretcher | typeof deactivateStretcher | typeof activateStretcher | typeof finishTraining

const nameOf = ({ first_name, last_name }: StretcherRecord) => `${first_name} ${last_name}`
const eventOf = (row: { id: number; customer_id: number }) => ({
  of: 'stretcher' as const,
  ids: { stretcher: row.id, customer: row.customer_id },
})

const subject = (id: number) => ({ subject: 'stretcher' as const, subjectId: id })

export const stretcherChangeRoutes = (training: TrainingService): Route[] => {
  const lock = (
    call: ChangeCall,
    db: Db,
    { id, version, now }: { id: number; version: number | undefined; now: Date },
  ) => loadForUpdate(call, lockStretcher(db, id, todayAt(now)), version, (row) => loadDetail(training, db, row, now))

  return [
    serve(updateStretcher, async ({ params, body, db, now, audit, publish, emit }) => {
      const row = await lock(updateStretcher, db, { id: params.id, version: body.version, now })
      const { firstName: first_name, lastName: last_name, dateOfBirth: date_of_birth, zoneId: zone_id } = body
      const fault = date_of_birth !== null && birthProblem(date_of_birth, companyDay(now))
      if (fault) throw refuse(updateStretcher, fault)
      if (zone_id !== row.zone_id) {
        if (zone_id !== null && !(await lockZone(db, zone_id))) throw refuse(updateStretcher, 'no_zone')
        if (row.onsite > 0) {
          const words = { name: nameOf(row), what: countOf('onsite', row.onsite), zone: row.zone_name ?? 'no zone' }
          throw refuse(updateStretcher, 'has_onsite', { values: words })
        }
      }
      const after = { first_name, last_name, date_of_birth, zone_id }
      await saveStretcher(db, row.id, after)
      await renameCustomer(db, row.customer_id, { first_name, last_name }, now)
      audit({
        action: 'stretcher_changed',
        ...subject(row.id),
        before: {
          first_name: row.first_name,
          last_name: row.last_name,
          date_of_birth: row.date_of_birth,
          zone_id: row.zone_id,
        },
        after,
      })
      const changed = (Object.keys(after) as (keyof typeof after)[]).filter((name) => after[name] !== row[name])
      if (changed.length > 0) emit({ type: 'stretcher.updated', ...eventOf(row), changed })
      const renamed = changed.filter((name) => name === 'first_name' || name === 'last_name')
      if (renamed.length > 0)
        emit({ type: 'customer.updated', of: 'customer', ids: { customer: row.customer_id }, changed: renamed })
      publish('stretchers', { stretcher: row.id })
      return showStretcher(training, db, row.id, now)
    }),

    serve(deactivateStretcher, async ({ params, body, db, worker, now, audit, publish, emit }) => {
      const row = await lock(deactivateStretcher, db, { id: params.id, version: body.version, now })
      const name = nameOf(row)
      if (row.status === 'inactive') throw refuse(deactivateStretcher, 'inactive', { values: { name } })
      if (row.onsite > 0)
        throw refuse(deactivateStretcher, 'has_onsite', { values: { name, what: countOf('onsite', row.onsite) } })
      if (row.bookings !== body.bookings)
        throw refuse(deactivateStretcher, 'has_bookings', { values: { name, what: countOf('bookings', row.bookings) } })
      await saveStretcher(db, row.id, {
        status: 'inactive',
        deactivated_at: now,
        deactivated_reason: body.reason,
        deactivated_by: worker.workerId,
      })
      const releasedBookings = await releaseBookings(db, [row.id], now)
      audit({
        action: 'stretcher_deactivated',
        ...subject(row.id),
        before: { status: row.status },
        after: { status: 'inactive', releasedBookings },
        reason: body.reason,
        people: [row],
      })
      emit({ type: 'stretcher.updated', ...eventOf(row), changed: ['status'] })
      publish('stretchers', { stretcher: row.id })
      return { stretcher: await showStretcher(training, db, row.id, now), releasedBookings }
    }),

    serve(activateStretcher, async ({ params, body, db, now, audit, publish, emit }) => {
      const row = await lock(activateStretcher, db, { id: params.id, version: body.version, now })
      if (row.status !== 'inactive') throw refuse(activateStretcher, 'not_inactive', { values: { name: nameOf(row) } })
      const status = row.trained_at ? 'active' : 'in_training'
      const change = { status, deactivated_at: null, deactivated_reason: null, deactivated_by: null } as const
      await saveStretcher(db, row.id, change)
      audit({
        action: 'stretcher_activated',
        ...subject(row.id),
        before: { status: row.status },
        after: { status },
        reason: body.reason,
        people: [row],
      })
      emit({ type: 'stretcher.updated', ...eventOf(row), changed: ['status'] })
      publish('stretchers', { stretcher: row.id })
      return showStretcher(training, db, row.id, now)
    }),

    serve(finishTraining, async ({ params, body, db, now, audit, publish, emit }) => {
      const row = await lock(finishTraining, db, { id: params.id, version: body.version, now })
      if (row.status !== 'in_training') throw refuse(finishTraining, 'not_training', { values: { name: nameOf(row) } })
      await saveStretcher(db, row.id, { status: 'active', trained_at: now })
      audit({
        action: 'stretcher_trained',
        ...subject(row.id),
        before: { status: row.status },
        after: { status: 'active' },
        reason: body.reason,
        people: [row],
      })
      emit({ type: 'stretcher.updated', ...eventOf(row), changed: ['status'] })
      publish('stretchers', { stretcher: row.id })
      return showStretcher(training, db, row.id, now)
    }),
  ]
}
