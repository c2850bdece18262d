import { activateStretcher, stretcherLabels, updateStretcher } from '@limber/contract/stretchers/stretcher.ts'
import { sql } from 'kysely'
import { CHANGED, numericId, type RecordHistory } from '#platform/audit/history.ts'

const zoneNames = (ids: readonly number[]) => sql`select id, name from zones where id = any(${ids}::bigint[])`

const editable = ['first_name', 'last_name', 'date_of_birth', 'zone_id'] as const

export const stretcherHistory: RecordHistory = {
  subject: 'stretcher',
  async read(db, id) {
    const stretcher = await db
      .selectFrom('stretchers as s')
      .innerJoin('customers as c', 'c.id', 's.customer_id')
      .select(['s.first_name', 's.last_name', 's.date_of_birth', 's.zone_id', 's.status', 'c.erased_at'])
      .where('s.id', '=', numericId(id))
      .executeTakeFirst()
    if (!stretcher) return
    const { erased_at: erasedAt, ...values } = stretcher
    return { name: `${values.first_name} ${values.last_name}`, erasedAt, values }
  },
  fields: [
    { name: 'first_name', label: stretcherLabels.firstName },
    { name: 'last_name', label: stretcherLabels.lastName },
    { name: 'date_of_birth', label: stretcherLabels.dateOfBirth, kind: 'day' },
    { name: 'zone_id', label: stretcherLabels.zoneId, names: zoneNames },
    {
      ...{ name: 'status', label: 'Status' },
      choiceLabels: { active: 'Active', in_training: 'In training', inactive: 'Inactive' },
    },
  ],
  actions: {
    stretcher_created: 'added this stretcher',
    stretcher_promoted: 'made this customer a stretcher',
    stretcher_changed: CHANGED,
    stretcher_deactivated: 'deactivated the stretcher',
    stretcher_activated: 'activated the stretcher',
    stretcher_trained: 'finished the training',
  },
  restores: [
    {
      ...{ call: updateStretcher, fields: editable },
      input(id, values, now) {
        const { first_name, last_name, date_of_birth, zone_id } = { ...now, ...values }
        return {
          params: { id },
          body: { firstName: first_name, lastName: last_name, dateOfBirth: date_of_birth, zoneId: zone_id },
        }
      },
    },
  ],
  opposites: {
    stretcher_deactivated: {
      call: activateStretcher,
      input: (id) => ({ params: { id }, body: { reason: 'Undone' } }),
      // Bookings that lost their stretcher stay without one.
      fits: ({ status }, { after }) => status === 'inactive' && after.releasedBookings === 0,
    },
  },
}
