import type { PartnerKind } from '@limber/contract/growth/partners/partner.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import { isPartner } from '../figures/measure.queries.ts'

export interface SessionRecord {
  id: number
  business_id: number
  business: string
  starts_at: Date
  ends_at: Date
  time_zone: string
  location: string | null
  slot_length: number | null
  rep_name: string | null
  admin_email: string
  stretcher: string | null
  participants: { slot: number; name: string; email: string; rating: number | null }[]
}

export interface SessionFilter {
  isPast: boolean
  now: Date
  kind: PartnerKind | ''
  businessId: number | undefined
}

/** One page of on-site sessions with their participants and the total count, in one statement. */
export async function findPartnerSessions(db: Db, filter: SessionFilter, page: { limit: number; offset: number }) {
  const { isPast, now, kind, businessId } = filter
  const where = sql.join(
    [
      sql`s.cancelled_at is null`,
      isPast ? sql`s.ends_at <= ${now}` : sql`s.ends_at > ${now}`,
      isPartner,
      ...(kind === '' ? [] : [sql`u.kind = ${kind}`]),
      ...(businessId === undefined ? [] : [sql`s.business_id = ${businessId}`]),
    ],
    sql` and `,
  )
  const order = isPast ? sql`starts_at desc, id desc` : sql`starts_at, id`
  const { rows } = await sql<{ total: number } & (SessionRecord | { id: null })>`
    with matches as materialized (
      select s.id, s.starts_at from onsite_sessions s join businesses u on u.id = s.business_id where ${where}),
    page as (select id from matches order by ${order} limit ${page.limit} offset ${page.offset}),
    shown as (
      select s.id, s.business_id, u.name as business, s.starts_at, s.ends_at, z.time_zone, u.location, p.slot_length_minutes as slot_length,
        u.rep_name, u.admin_email, w.first_name || ' ' || w.last_name as stretcher,
        coalesce((select jsonb_agg(jsonb_build_object('slot', x.slot, 'name', x.name, 'email', x.email, 'rating', x.rating) order by x.slot)
          from onsite_participants x where x.session_id = s.id), '[]') as participants
      from page join onsite_sessions s on s.id = page.id
      join businesses u on u.id = s.business_id join zones z on z.id = u.zone_id
      left join prepaid_blocks p on p.id = s.block_id left join stretchers w on w.id = s.stretcher_id)
    select t.total, shown.* from (select count(*) as total from matches) t left join shown on true order by ${order}`.execute(
    db,
  )
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row): row is { total: number } & SessionRecord => row.id !== null),
  }
}
