import { sql } from 'kysely'
import type { SeedContext } from '../seeder.ts'

const DAYS = 14

/** Audit log entries of the last two weeks, derived from the seeded emails, tasks and lead steps. */
export const seedAuditTrail = ({ db, calendar }: SeedContext) =>
  sql`
    insert into audit_log (at, worker_id, worker_name, call, action, outcome, subject, subject_id, after)
    select d.at, w.id, w.name, d.call, d.action, 'done', d.subject, d.subject_id::text, d.after
    from (
      select created_at as at, worker_id, 'POST /api/marketing/partner/send-email' as call, 'partner_outreach_sent' as action,
        'business' as subject, business_id as subject_id, jsonb_build_object('subject', subject, 'sent', sent, 'skipped', skipped) as after
      from partner_outreach
      union all
      select created_at, created_by, 'POST /api/marketing/tasks', 'city_task_created', 'city_task', id,
        jsonb_build_object('title', title, 'city', city_name)
      from city_tasks
      union all
      select entered_at, worker_id, 'PATCH /api/marketing/leads/status',
        case when status = 'converted' then 'lead_converted' else 'lead_status' end, 'lead', lead_id, jsonb_build_object('status', status)
      from lead_steps where status <> 'new'
      union all
      select merged_at, merged_by, 'POST /api/marketing/leads/:id/merge', 'lead_merged', 'lead', lead_id,
        jsonb_build_object('from', id, 'notes', 0, 'steps', 1, 'answers', 0)
      from merged_leads) d
    join workers w on w.id = d.worker_id
    where d.at > ${calendar.at(-DAYS, 0)} and d.at <= ${calendar.now}
    order by d.at`.execute(db)
