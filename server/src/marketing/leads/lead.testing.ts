import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

/** Leads whose columns contradict their steps; there must be none. */
export async function findInconsistentLeads(db: Db): Promise<{ id: number }[]> {
  const { rows } = await sql<{ id: number }>`
    select l.id from leads l left join lead_steps s on s.lead_id = l.id group by l.id
    having count(*) filter (where s.left_at is null) <> 1
      or max(s.status) filter (where s.left_at is null) <> l.status
      or max(s.entered_at) filter (where s.left_at is null) <> l.status_since
      or min(s.entered_at) <> l.created_at
      or min(s.lead_created_at) <> l.created_at or max(s.lead_created_at) <> l.created_at
      or max(coalesce(array_position(array['new', 'onboarding_started', 'onboarding_completed', 'contacted', 'converted'], s.status), 1))
        filter (where s.status <> 'converted' or l.status = 'converted') <> l.farthest`.execute(db)
  return rows
}
