import { companyDay, companyZone } from '@limber/contract/kit/company.ts'
import type { Readiness } from '@limber/contract/stretchers/stretcher.ts'
import { sql } from 'kysely'
import { certifiedUntil, firstMissing, isCertified, type MissingCertification } from '#certifications/public.ts'
import type { Db } from '#platform/db/db.ts'

export type { Readiness }

export interface SessionStretcher {
  id: number
  name: string
  email: string
  zone_id: number | null
  readiness: Readiness
  /** The required certification that an active stretcher lacks. */
  lacks: MissingCertification | null
  /** The last day on which a ready stretcher is still certified. Null when nothing expires. */
  ready_until: string | null
}

const MAX_STRETCHERS = 500

/** Whether the stretcher `s` can take a session on a day, and if not, why. */
export const readinessOn = (day: Parameters<typeof isCertified>[1]) => sql<Readiness>`
  case when s.status <> 'active' then s.status when ${isCertified('s.customer_id', day)} then 'ready' else 'not_certified' end`

/** The stretchers of a zone who are not inactive, or one by id. Certifications are checked for the day of `at`. */
export async function findSessionStretchers(
  db: Db,
  wanted: ({ zoneId: number } | { id: number }) & { at?: Date },
): Promise<SessionStretcher[]> {
  const which = 'id' in wanted ? sql`s.id = ${wanted.id}` : sql`s.zone_id = ${wanted.zoneId} and s.status <> 'inactive'`
  const day = wanted.at ? companyDay(wanted.at) : sql<string>`(now() at time zone ${companyZone()})`
  const { rows } = await sql<SessionStretcher>`
    select s.id, s.first_name || ' ' || s.last_name as name, s.email, s.zone_id, ${readinessOn(day)} as readiness,
      case when s.status = 'active' then ${firstMissing('s.customer_id', day)} end as lacks,
      ${certifiedUntil('s.customer_id')} as ready_until
    from stretchers s where ${which} order by s.first_name, s.last_name, s.id limit ${MAX_STRETCHERS}`.execute(db)
  return rows
}
