import { HOUR, shift } from '@limber/server/platform/clock.ts'
import { sql } from 'kysely'
import type { Story } from '../chapter.ts'

interface Span {
  from: number
  to: number
}

/** Who of a zone has time when; what is given away here is gone. */
export interface Diary {
  take(zoneId: number, day: number, hours: number): { stretcherId: number; startsAt: Date } | undefined
}

const hoursOfDay = [9, 13, 10, 8, 14, 11, 15, 16, 17, 12, 7]
const DAYS_AROUND = 12

/** Reads what the stretchers who work have before them and behind them. */
export async function openDiary({ db, calendar }: Story): Promise<Diary> {
  const { rows: team } = await sql<{ id: string; zone_id: string; since: Date }>`
    select id, zone_id, trained_at as since from stretchers where status = 'active' order by id`.execute(db)
  const { rows } = await sql<{ id: string; from: Date; to: Date }>`
    select b.stretcher_id as id, b.starts_at as from, b.ends_at as to from bookings b join stretchers s on s.id = b.stretcher_id
    where s.status = 'active' and b.status <> 'cancelled'`.execute(db)
  const taken = new Map<number, Span[]>()
  const add = (id: number, from: Date, to: Date) =>
    taken.set(id, [...(taken.get(id) ?? []), { from: from.getTime(), to: to.getTime() }])
  for (const [id, own] of Map.groupBy(rows, (row) => Number(row.id)))
    taken.set(
      id,
      own.map(({ from, to }) => ({ from: from.getTime(), to: to.getTime() })),
    )
  const isFree = (id: number, from: Date, to: Date) =>
    !(taken.get(id) ?? []).some((span) => span.from < to.getTime() && span.to > from.getTime())

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
      // Days ahead stay ahead, days behind stay behind.
      const step = day > 0 ? 1 : -1
      for (let away = 0; away <= DAYS_AROUND; away++) {
        const found = tryDay(zoneId, day + away * step, hours)
        if (found) return found
      }
      return undefined
    },
  }
}
