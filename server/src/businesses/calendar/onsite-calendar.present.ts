import type { CalendarSession } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { bareMoment } from '../blocks/block.present.ts'
import { stateOfSession } from '../blocks/block.rules.ts'
import { slotsOfSession } from '../sessions/onsite.present.ts'
import type { CalendarRow } from './onsite-calendar.queries.ts'

export const presentCalendarSession = (row: CalendarRow, now: Date): CalendarSession => ({
  id: row.id,
  version: row.version,
  block_id: row.block_id,
  business: { id: row.business_id, name: row.business_name },
  zone: { id: row.zone_id, name: row.zone_name, time_zone: row.time_zone },
  stretcher: { id: row.stretcher_id, name: row.stretcher_name },
  day: row.day,
  starts_at: bareMoment(row.starts_at),
  ends_at: bareMoment(row.ends_at),
  status: stateOfSession(row, now),
  slots: slotsOfSession(row),
  taken_slots: row.taken_slots,
  problem: row.readiness === 'ready' ? null : row.readiness,
})
