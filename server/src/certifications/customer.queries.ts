import { sql } from 'kysely'
import { eraseAuditValues } from '#platform/audit/history.ts'
import { ERASED, type Erased } from '#platform/customer-hooks.ts'
import type { Db } from '#platform/db/db.ts'

export const eraseCertifications = ({ ids }: Erased) => [
  eraseAuditValues('certification', sql`select id from certifications where customer_id = any(${ids}::bigint[])`),
  sql`update certifications set name = 'Erased Customer', version = version + 1,
      revoke_reason = case when revoke_reason is null then null else ${ERASED} end
    where customer_id = any(${ids}::bigint[])`,
]

export const mergeCertifications = (db: Db, from: number, into: number) =>
  sql`update certifications set customer_id = ${into} where customer_id = ${from}`.execute(db)
