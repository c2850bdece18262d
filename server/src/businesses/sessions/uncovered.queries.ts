import { type RawBuilder, sql } from 'kysely'
import { firstMissing, isCertified } from '#certifications/public.ts'
import type { Db } from '#platform/db/db.ts'

export interface Uncovered {
  id: number
  business_id: number
  business_name: string
  block_id: number | null
  starts_at: Date
  ends_at: Date
  time_zone: string
  stretcher_name: string
  lacks: string | null
  substitutes: { id: number; name: string }[]
}

const MAX_SUBSTITUTES = 3

/** Whether the stretcher `f` has nothing else while the session `o` lasts. */
const isFree: RawBuilder<boolean> = sql<boolean>`(
  not exists (select from onsite_sessions other where other.stretcher_id = f.id and other.cancelled_at is null
    and other.starts_at < o.ends_at and other.ends_at > o.starts_at)
  and not exists (select from bookings other where other.stretcher_id = f.id and other.status in ('confirmed', 'in_progress')
    and other.starts_at < o.ends_at and other.ends_at > o.starts_at))`

const sessionDay = sql<string>`company_day(o.starts_at)`

/** Upcoming sessions whose stretcher is not ready on that day, the next one first, each with free stretchers of its zone. */
export async function findUncovered(db: Db, now: Date, limit: number): Promise<Uncovered[]> {
  const { rows } = await sql<Uncovered>`
    with o as materialized (
      select o.*, s.first_name || ' ' || s.last_name as stretcher_name, b.name as business_name, b.zone_id, z.time_zone,
        case when s.status = 'active' then ${firstMissing('s.customer_id', sessionDay)} ->> 'certification' end as lacks
      from onsite_sessions o join stretchers s on s.id = o.stretcher_id
      join businesses b on b.id = o.business_id join zones z on z.id = b.zone_id
      where o.cancelled_at is null and o.starts_at > ${now}
        and (s.status <> 'active' or not (${isCertified('s.customer_id', sessionDay)}))
      order by o.starts_at, o.id limit ${limit})
    select o.id, o.business_id, o.business_name, o.block_id, o.starts_at, o.ends_at, o.time_zone, o.stretcher_name, o.lacks, coalesce((
      select jsonb_agg(jsonb_build_object('id', free.id, 'name', free.name)) from (
        select f.id, f.first_name || ' ' || f.last_name as name from stretchers f
        where f.zone_id = o.zone_id and f.status = 'active' and f.id <> o.stretcher_id
          and ${isCertified('f.customer_id', sessionDay)} and ${isFree}
        order by f.first_name, f.last_name, f.id limit ${MAX_SUBSTITUTES}) free), '[]') as substitutes
    from o order by o.starts_at, o.id`.execute(db)
  return rows
}
