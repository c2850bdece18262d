import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

export const findZoneRecords = async (db: Db, ids: readonly number[]) =>
  ids.length === 0
    ? []
    : db.selectFrom('zones').select(['id', 'name', 'time_zone', 'geometry']).where('id', 'in', ids).execute()

export const findBusinessRecords = async (db: Db, ids: readonly number[]) =>
  ids.length === 0
    ? []
    : db
        .selectFrom('businesses')
        .select(['id', 'name', 'custom_path', 'admin_email', 'rep_name', 'location', 'kind', 'stage', 'renews_on'])
        .select(['zone_id', 'archived_at', 'created_at'])
        .where('id', 'in', ids)
        .execute()

/** The business with a custom path, and whether the address is on its list. Nobody books with an archived one. */
export async function findAllowance(
  db: Db,
  path: string,
  email: string,
): Promise<{ id: number; allowed: boolean } | undefined> {
  const { rows } = await sql<{ id: number; allowed: boolean }>`
    select b.id, b.archived_at is null
      and exists (select from business_emails e where e.business_id = b.id and e.email = ${email}) as allowed
    from businesses b where b.custom_path = ${path}`.execute(db)
  return rows[0]
}

export interface SessionRow
  extends Pick<
    Row<'onsite_sessions'>,
    'id' | 'business_id' | 'stretcher_id' | 'starts_at' | 'ends_at' | 'cancelled_at'
  > {
  block_hours: number | null
  slot_length_minutes: number | null
  taken: number[]
}

/** Sessions with the slots that are taken. `lock` keeps them from being moved or canceled. */
export async function findSessionRecords(
  db: Db,
  ids: readonly number[],
  { lock = false }: { lock?: boolean } = {},
): Promise<SessionRow[]> {
  if (ids.length === 0) return []
  if (lock) await sql`select from onsite_sessions where id = any(${ids}::bigint[]) order by id for share`.execute(db)
  const { rows } = await sql<SessionRow>`
    select s.id, s.business_id, s.stretcher_id, s.starts_at, s.ends_at, s.cancelled_at, p.block_hours,
      p.slot_length_minutes, array(select slot from onsite_participants a where a.session_id = s.id order by slot) as taken
    from onsite_sessions s left join prepaid_blocks p on p.id = s.block_id
    where s.id = any(${ids}::bigint[])`.execute(db)
  return rows
}
