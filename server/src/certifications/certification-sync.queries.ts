import { sql } from 'kysely'
import type { Db, Row } from '#platform/db/db.ts'

type CertificationColumns =
  | 'id'
  | 'short_id'
  | 'customer_id'
  | 'type_id'
  | 'name'
  | 'instructor'
  | 'issued_on'
  | 'valid_until'
  | 'revoked_at'
type CertificationRow = Pick<Row<'certifications'>, CertificationColumns> & { stretcher: number | null; type: string }

export async function findCertificationRecords(db: Db, ids: readonly number[]): Promise<CertificationRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<CertificationRow>`
    select c.id, c.short_id, c.customer_id, s.id as stretcher, c.type_id, t.name as type, c.name, c.instructor, c.issued_on,
      c.valid_until, c.revoked_at
    from certifications c join certification_types t on t.id = c.type_id
    left join stretchers s on s.customer_id = c.customer_id
    where c.id = any(${ids}::bigint[])`.execute(db)
  return rows
}
