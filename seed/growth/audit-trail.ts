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

/**
 * Changes of records whose history is worth a look: each keeps what the record has now and what it had before, so that
 * it can be restored.
 */
export const seedRecordChanges = ({ db, calendar }: SeedContext) =>
  sql`
    insert into audit_log (at, worker_id, worker_name, call, action, outcome, subject, subject_id, before, after)
    select d.at, w.id, w.name, d.call, d.action, 'done', d.subject, d.subject_id, d.before, d.after
    from (
      select ${calendar.now}::timestamptz - (1 + id % 11) * interval '25 hours' as at, 'Marketing' as role, 'PATCH /api/campaigns/:id' as call,
        'campaign_edited' as action, 'campaign' as subject, id::text as subject_id, created_at,
        jsonb_build_object('budget', (budget * 0.8)::numeric(18, 4)::text) as before, jsonb_build_object('budget', budget::text) as after
      from campaigns where budget > 0
      union all
      select ${calendar.now}::timestamptz - (2 + id % 9) * interval '23 hours', 'Growth', 'PATCH /api/marketing/leads/:id/assignee',
        'lead_assigned', 'lead', id::text, created_at, jsonb_build_object('assignee', null), jsonb_build_object('assignee', assignee_id)
      from leads where assignee_id is not null and id % 6 = 0
      union all
      select ${calendar.now}::timestamptz - (1 + id % 7) * interval '26 hours', 'Operations', 'POST /api/businesses/update',
        'business_changed', 'business', id::text, created_at, jsonb_build_object('location', null), jsonb_build_object('location', location)
      from businesses where location is not null
      union all
      select ${calendar.now}::timestamptz - (3 + id % 8) * interval '24 hours', 'Operations', 'POST /api/training/courses/update',
        'course_changed', 'course', course_key, created_at, jsonb_build_object('title', title || ' (2025)'), jsonb_build_object('title', title)
      from training_courses
      union all
      select ${calendar.now}::timestamptz - (2 + id % 10) * interval '22 hours', 'Operations', 'POST /api/training/lessons/update',
        'lesson_changed', 'lesson', id::text, created_at, jsonb_build_object('title', title || ', part 1'), jsonb_build_object('title', title)
      from training_lessons where id % 2 = 0) d
    join lateral (
      select id, name from workers where status = 'active' and (role = d.role or role = 'Owner') order by role = d.role desc, id limit 1
    ) w on true
    where d.at > d.created_at
    order by d.at`.execute(db)
