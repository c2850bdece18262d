import { leadFields } from '@limber/contract/marketing/leads/lead.ts'
import { sql } from 'kysely'
import { eraseAuditValues } from '#platform/audit/history.ts'
import { ERASED, type Erased } from '#platform/customer-hooks.ts'
import type { Db } from '#platform/db/db.ts'
import { withoutPerson } from '#platform/db/without-person.ts'

/** Erases personal data from a person's leads and from leads merged into them. */
export function eraseLeads({ ids, emails, now }: Erased) {
  const own = sql`
    select id from leads where customer_id = any(${ids}::bigint[]) or email = any(${emails}::text[])
      union select lead_id from merged_leads where email = any(${emails}::text[])`
  return [
    eraseAuditValues('lead', own),
    sql`update leads set ${withoutPerson(leadFields)}, lost_reason = null, answers = '[]', corrected_at = '{}', erased_at = ${now},
        version = version + 1
      where id in (${own})`,
    sql`update merged_leads set ${withoutPerson(leadFields)}
      where lead_id in (${own})`,
    sql`update lead_notes set content = ${ERASED} where lead_id in (${own})`,
    sql`update lead_steps set reason = null where lead_id in (${own}) and reason is not null`,
  ]
}

export const moveLeadsToCustomer = (db: Db, from: number, into: number) =>
  sql`update leads set customer_id = ${into}, version = version + 1 where customer_id = ${from}`.execute(db)
