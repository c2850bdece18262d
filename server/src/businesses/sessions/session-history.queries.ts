import { changeStretcher, rescheduleSession } from '@limber/contract/businesses/sessions/onsite.ts'
import { formatMoment } from '@limber/contract/kit/formats/dates.ts'
import { sql } from 'kysely'
import { type ActionFacts, CHANGED, numericId, type RecordHistory } from '#platform/audit/history.ts'
import { findSession } from './onsite.queries.ts'

const stretcherNames = (ids: readonly number[]) =>
  sql`select id, first_name || ' ' || last_name from stretchers where id = any(${ids}::bigint[])`

type Values = ActionFacts['after']

/** No email went out, and the session is still as it was moved. */
const isUntold = (now: Values, { after }: ActionFacts) =>
  after.notified === false && now.stretcher_id === after.stretcher_id && now.starts_at === after.starts_at

const everyone = { stretcher: true, business: true, participants: true }
const TOLD = 'The stretcher, the business and the participants are emailed.'

export const sessionHistory: RecordHistory = {
  subject: 'onsite_session',
  async read(db, id) {
    const session = await findSession(db, numericId(id))
    if (!session) return
    const { business_name, starts_at, stretcher_id, time_zone: zone } = session
    return {
      ...{ name: `${business_name}, ${formatMoment(starts_at, { zone })}`, zone },
      values: { starts_at: starts_at.toISOString(), stretcher_id },
    }
  },
  fields: [
    { name: 'starts_at', label: 'Start', kind: 'moment' },
    { name: 'stretcher_id', label: 'Stretcher', names: stretcherNames },
  ],
  actions: {
    session_scheduled: 'scheduled this session',
    session_rescheduled: CHANGED,
    session_reassigned: CHANGED,
    session_cancelled: 'canceled the session',
    session_not_held: 'marked the session as not held',
    slot_taken: 'booked a slot for a participant',
    slot_freed: 'freed the slot of a participant',
  },
  restores: [
    {
      ...{ call: rescheduleSession, fields: ['starts_at'], effects: { starts_at: TOLD } },
      input: (id, { starts_at }) => ({ body: { session_id: Number(id), new_starts_at: starts_at, notify: everyone } }),
    },
    {
      ...{ call: changeStretcher, fields: ['stretcher_id'], effects: { stretcher_id: TOLD } },
      input: (id, { stretcher_id }) => ({
        body: { session_id: Number(id), new_stretcher_id: stretcher_id, notify: everyone },
      }),
    },
  ],
  opposites: {
    session_rescheduled: {
      call: rescheduleSession,
      input: (id, { before }) => ({
        body: {
          ...{ session_id: Number(id), new_starts_at: before.starts_at },
          ...{ new_stretcher_id: before.stretcher_id },
        },
      }),
      fits: isUntold,
    },
    session_reassigned: {
      call: changeStretcher,
      input: (id, { before }) => ({ body: { session_id: Number(id), new_stretcher_id: before.stretcher_id } }),
      fits: isUntold,
    },
  },
}
