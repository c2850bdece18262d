import { sql } from 'kysely'
import type { MailServerRow } from '#platform/company/company.queries.ts'
import type { Db } from '#platform/db/db.ts'
import type { SetupFacts } from './setup.rules.ts'

type MailSettings = Pick<MailServerRow, 'host' | 'port' | 'security' | 'username' | 'password'>

/** Everything that the guide shows, in one statement. It looks for one row of each kind and counts nothing. */
export async function findSetupFacts(db: Db, { workerId, keyId }: { workerId: number; keyId: string | null }) {
  const { rows } = await sql<SetupFacts & MailSettings>`
    select c.name, c.time_zone, c.saved_at is not null as is_saved, c.guide_hidden_at is not null as is_hidden,
      m.host, m.port, m.security, m.username, m.password, m.tested_at, m.tested_server, m.test_ok,
      (select w.name from backup_key_copies k join workers w on w.id = k.confirmed_by where k.key_id = ${keyId}) as key_kept_by,
      (select z.name from zones z order by z.id limit 1) as zone,
      (select jsonb_build_object('name', w.name, 'created_at', w.created_at, 'onboarded_at', w.onboarded_at) from workers w
        where w.id <> ${workerId} and w.status <> 'disabled' order by w.onboarded_at is null, w.id desc limit 1) as colleague,
      (select jsonb_build_object('name', k.name, 'last_used_at', k.last_used_at) from api_keys k
        where k.revoked_at is null or k.last_used_at is not null order by k.last_used_at desc nulls last, k.id desc limit 1) as api_key,
      exists (select from customers) as has_customers,
      (select s.starts_on::text from payroll_starts s order by s.version desc limit 1) as payroll_starts_on
    from company c cross join mail_server m`.execute(db)
  const [facts] = rows
  if (!facts) throw new Error('The company has no row')
  return facts
}
