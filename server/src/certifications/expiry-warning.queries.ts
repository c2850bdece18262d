import { WARNING_DAYS } from '@limber/contract/certifications/certification.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

export interface ExpiryWarning {
  id: number
  days: number
  days_left: number
  valid_until: string
  type_name: string
  first_name: string
  email: string
}

/**
 * Marks the warnings that are due and returns them: the nearest of the warning days of each certification of a stretcher,
 * unless a longer one of the same type replaces it. Each is returned once, also when two processes look at the same time.
 */
export async function takeWarnings(db: Db, limit: number): Promise<ExpiryWarning[]> {
  const { rows } = await sql<ExpiryWarning>`
    with due as materialized (
      select k.id, k.valid_until, k.valid_until - company_day(now()) as days_left, t.name as type_name, s.first_name, s.email,
        (select min(d) from unnest(${[...WARNING_DAYS]}::int[]) d where d >= k.valid_until - company_day(now())) as days
      from certifications k
      join certification_types t on t.id = k.type_id and t.retired_at is null
      join stretchers s on s.customer_id = k.customer_id and s.status <> 'inactive'
      where k.revoked_at is null and k.valid_until between company_day(now()) and company_day(now()) + ${Math.max(...WARNING_DAYS)}::int
        and not exists (
          select from certifications longer where longer.customer_id = k.customer_id and longer.type_id = k.type_id
            and longer.revoked_at is null and (longer.valid_until is null or longer.valid_until > k.valid_until))),
    marked as (
      insert into certification_warnings (certification_id, valid_until, days, warned_at)
      select id, valid_until, days, now() from due
      where not exists (select from certification_warnings w where w.certification_id = due.id and w.valid_until = due.valid_until and w.days = due.days)
      order by valid_until, id limit ${limit}
      on conflict do nothing returning certification_id, days)
    select due.* from marked join due on due.id = marked.certification_id and due.days = marked.days order by due.id`.execute(
    db,
  )
  return rows
}
