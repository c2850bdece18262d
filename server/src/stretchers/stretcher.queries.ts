import { sql } from 'kysely'
import type { Db } from '#platform/db.ts'

/** Whether a stretcher may be sent to a session, and why not. */
type Readiness = 'ready' | 'in_training' | 'not_certified' | 'inactive'

export interface SessionStretcher {
  id: number
  name: string
  email: string
  zone_id: number | null
  readiness: Readiness
}

const MOST = 500

/** Stretchers as scheduling sees them: those of a zone who have not left, or one by id. */
export async function findSessionStretchers(
  db: Db,
  wanted: { zoneId: number } | { id: number },
): Promise<SessionStretcher[]> {
  const which = 'id' in wanted ? sql`id = ${wanted.id}` : sql`zone_id = ${wanted.zoneId} and status <> 'inactive'`
  const { rows } = await sql<SessionStretcher>`
    select id, first_name || ' ' || last_name as name, email, zone_id,
      case status when 'active' then 'ready' else status end as readiness
    from stretchers where ${which} order by first_name, last_name, id limit ${MOST}`.execute(db)
  return rows
}
