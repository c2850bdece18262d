import { HOUR, shift } from '@limber/server/platform/clock.ts'
import { sql } from 'kysely'
import type { SeedContext } from '../seeder.ts'

interface Span {
  from: number
  to: number
}

/** When the stretchers of a zone are free. */
export interface Schedule {
  /** Reserves the first free time on or near a day. */
  take(zoneId: number, day: number, hours: number): { stretcherId: number; startsAt: Date } | undefined
}

const hoursOfDay = [9, 13, 10, 8, 14, 11, 15, 16, 17, 12, 7]
const MAX_DAYS_AWAY = 12

/** Reads the past and future bookings of active stretchers. */
export async function loadSchedule({ db, calendar }: SeedContext): Promise<Schedule> {
  const { rows: team } = await sql<{ id: string; zone_id: string; since: Date }>`
    select id, zone_id, trained_at as since from stretchers where status = 'active' order by id`.execute(db)
  const { rows } = await sql<{ id: string; from: Date; to: Date }>`
    select b.stretcher_id as id, b.starts_at as from, b.ends_at as to from bookings b join stretchers s on s.id = b.stretcher_id
    where s.status = 'active' and b.status <> 'cancelled'`.execute(db)
  const reserved = new Map<number, Span[]>()
  const add = (id: number, from: Date, to: Date) =>
    reserved.set(id, [...(reserved.get(id) ?? []), { from: from.getTime(), to: to.getTime() }])
  for (const [id, own] of Map.groupBy(rows, (row) => Number(row.id)))
    reserved.set(
      id,
      own.map(({ from, to }) => ({ from: from.getTime(), to: to.getTime() })),
    )
  const isFree = (id: number, from: Date, to: Date) =>
    !(reserved.get(id) ?? []).some((span) => span.from < to.getTime() && span.to > from.getTime())

  function tryDay(zoneId: number, day: number, hours: number) {
    if ([0, 6].includes(calendar.weekday(day))) return undefined
    for (const hour of hoursOfDay)
      for (const { id, zone_id, since } of team) {
        if (Number(zone_id) !== zoneId) continue
        const startsAt = calendar.at(day, hour * 60)
        const endsAt = shift(startsAt, hours * HOUR)
        if (startsAt < since || !isFree(Number(id), startsAt, endsAt)) continue
        add(Number(id), startsAt, endsAt)
        return { stretcherId: Number(id), startsAt }
      }
    return undefined
  }
  return {
    take(zoneId, day, hours) {
      // Future days stay in the future, past days in the past.
      const step = day > 0 ? 1 : -1
      for (let away = 0; away <= MAX_DAYS_AWAY; away++) {
        const found = tryDay(zoneId, day + away * step, hours)
        if (found) return found
      }
      return undefined
    },
  }
}
