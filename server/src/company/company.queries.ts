import type { Company } from '@limber/contract/company/company.ts'
import { sql } from 'kysely'
import type { CompanyRow } from '#platform/company/company.queries.ts'
import type { Db, Row } from '#platform/db/db.ts'

export const lockCompany = (db: Db): Promise<CompanyRow> =>
  db.selectFrom('company').selectAll().forUpdate().executeTakeFirstOrThrow()

type Profile = Omit<Company, 'logo' | 'saved_at' | 'version'> & { latitude: number | null; longitude: number | null }

export const saveCompany = (db: Db, profile: Profile, now: Date): Promise<CompanyRow> =>
  db
    .updateTable('company')
    .set((row) => ({ ...profile, saved_at: now, version: row('version', '+', 1) }))
    .returningAll()
    .executeTakeFirstOrThrow()

type Logo = Pick<Row<'company'>, 'logo' | 'logo_type' | 'logo_bytes'>

export const saveLogo = (db: Db, logo: Logo): Promise<CompanyRow> =>
  db
    .updateTable('company')
    .set((row) => ({ ...logo, version: row('version', '+', 1) }))
    .returningAll()
    .executeTakeFirstOrThrow()

export const hideGuide = (db: Db, hidden: { by: number; at: Date } | null) =>
  db
    .updateTable('company')
    .set({ guide_hidden_at: hidden?.at ?? null, guide_hidden_by: hidden?.by ?? null })
    .execute()

/** True for a time zone that the database knows, too. */
export async function hasTimeZone(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where name = ${name}`.execute(db)
  return rows.length > 0
}
