import { DEFAULT_LIMITS } from '@limber/contract/access/limits/limits.ts'
import { sql } from 'kysely'
import type { SeedContext } from '../seeder.ts'

interface Change {
  role: 'Operations' | 'Marketing' | 'Growth' | 'Finance' | 'Support Lead' | 'Tech' | 'Owner'
  call: string
  action: string
  subject: string
  table: string
  /** The id in the log. Records of which there is one have none. */
  id?: string | null
  where?: string
  /** SQL of the moment. By default some days ago, another time for each record. */
  at?: string
  /** SQL of the moment from which it was there. Changes before are left out. */
  created?: string
  reason?: string
  before?: string
  after?: string
}

const AGO = "now_at - (1 + id % 11) * interval '25 hours'"

/** For records that were there from the beginning. */
const EVER = "'-infinity'::timestamptz"

const field = (name: string, value: string) => `jsonb_build_object('${name}', ${value})`

/** A field with the value that the record has now, and another one before. */
const changed = (name: string, before: string, now = name) => ({ before: field(name, before), after: field(name, now) })

/** Each keeps what the record has now and what it had before, so that it can be restored. */
const changes: readonly Change[] = [
  {
    ...{ role: 'Marketing', call: 'PATCH /api/campaigns/:id', action: 'campaign_edited', subject: 'campaign' },
    ...{ table: 'campaigns', where: 'budget > 0' },
    ...changed('budget', '(budget * 0.8)::numeric(18, 4)::text', 'budget::text'),
  },
  {
    ...{ role: 'Growth', call: 'PATCH /api/marketing/leads/:id/assignee', action: 'lead_assigned', subject: 'lead' },
    ...{ table: 'leads', where: 'assignee_id is not null and id % 6 = 0' },
    ...changed('assignee', 'null::bigint', 'assignee_id'),
  },
  {
    ...{ role: 'Operations', call: 'POST /api/businesses/update', action: 'business_changed', subject: 'business' },
    ...{ table: 'businesses', where: 'location is not null' },
    ...changed('location', 'null::text'),
  },
  {
    ...{ role: 'Operations', call: 'POST /api/businesses/blocks/update', action: 'block_changed' },
    ...{ subject: 'prepaid_block', table: 'prepaid_blocks' },
    ...changed('internal_label', "internal_label || ' (draft)'"),
  },
  {
    ...{ role: 'Operations', call: 'POST /api/onsite/activate-block', action: 'session_scheduled' },
    ...{ subject: 'onsite_session', table: 'onsite_sessions', at: "created_at + interval '1 second'" },
    after: "jsonb_build_object('starts_at', starts_at, 'stretcher_id', stretcher_id)",
  },
  {
    ...{ role: 'Operations', call: 'POST /api/zones/update', action: 'zone_changed', subject: 'zone', table: 'zones' },
    ...changed('name', "name || ' area'"),
  },
  {
    ...{ role: 'Operations', call: 'PATCH /api/stretchers/:id', action: 'stretcher_changed', subject: 'stretcher' },
    ...{ table: 'stretchers', where: "status = 'active'", created: 'hired_at' },
    ...changed('zone_id', '(select min(z.id) from zones z where z.id <> r.zone_id)'),
  },
  {
    ...{ role: 'Operations', call: 'PUT /certifications/:id', action: 'certification_changed' },
    ...{ subject: 'certification', table: 'certifications', where: 'revoked_at is null' },
    ...changed('instructor', "'Ines Park'"),
  },
  {
    ...{ role: 'Operations', call: 'PUT /certifications/types/:id', action: 'certification_type_changed' },
    ...{ subject: 'certification_type', table: 'certification_types' },
    ...changed('valid_months', '18'),
  },
  {
    ...{ role: 'Operations', call: 'POST /api/training/courses/update', action: 'course_changed', subject: 'course' },
    ...{ table: 'training_courses', id: 'course_key' },
    ...changed('title', "title || ' (2025)'"),
  },
  {
    ...{ role: 'Operations', call: 'POST /api/training/modules/update', action: 'module_changed', subject: 'module' },
    ...{
      table: 'training_modules',
      id: "(select c.course_key || '/' || module_key from training_courses c where c.id = course_id)",
    },
    ...changed('title', "title || ', draft'"),
  },
  {
    ...{ role: 'Operations', call: 'POST /api/training/lessons/update', action: 'lesson_changed', subject: 'lesson' },
    table: 'training_lessons',
    ...changed('title', "title || ', part 1'"),
  },
  {
    ...{ role: 'Support Lead', call: 'PATCH /api/support/tickets/:id/priority', action: 'ticket_priority' },
    ...{
      subject: 'ticket',
      table: 'tickets',
      where: 'merged_into_id is null and id % 4 = 0',
      at: "created_at + interval '9 minutes'",
    },
    ...changed('priority', "case priority when 'medium' then 'low' else 'medium' end"),
  },
  {
    ...{ role: 'Support Lead', call: 'POST /api/support/users/:id/block', action: 'customer_blocked' },
    ...{ subject: 'customer', table: 'customers', at: 'blocked_at', created: 'joined_at', reason: 'blocked_reason' },
    where: 'blocked_at is not null and erased_at is null and merged_into_id is null',
  },
  {
    ...{ role: 'Support Lead', call: 'PATCH /api/support/users/:id/contact', action: 'contact_corrected' },
    ...{ subject: 'customer', table: 'customers', created: 'joined_at', reason: "'Called to correct it'" },
    ...{
      where: 'id % 40 = 0 and erased_at is null and merged_into_id is null',
      after: `'{"changed": ["phone"]}'::jsonb`,
    },
  },
  {
    ...{ role: 'Support Lead', call: 'PUT /api/support/saved-replies/:id', action: 'saved_reply_changed' },
    ...{ subject: 'saved_reply', table: 'saved_replies', created: EVER },
    ...changed('name', "name || ' (old)'"),
  },
  {
    ...{ role: 'Support Lead', call: 'PUT /api/support/ticket-tags/:id', action: 'ticket_tag_renamed' },
    ...{ subject: 'ticket_tag', table: 'ticket_tags', created: EVER, where: 'removed_at is null' },
    ...changed('name', "name || 's'"),
  },
  {
    ...{ role: 'Support Lead', call: 'PUT /api/support/assignment/round-robin', action: 'round_robin_changed' },
    ...{ subject: 'assignment', table: 'round_robins', created: EVER, id: null, where: 'view_id is null' },
    ...changed('maxOpen', 'max_open - 5', 'max_open'),
  },
  {
    ...{ role: 'Support Lead', call: 'PUT /api/support/rating-settings', action: 'ratings_switched' },
    ...{ subject: 'promises', table: 'rating_settings', created: EVER, id: null },
    ...changed('isOn', 'not is_on', 'is_on'),
  },
  {
    ...{ role: 'Finance', call: 'PUT /api/payroll/settings', action: 'payroll.settings_changed' },
    ...{ subject: 'payroll_settings', table: 'payroll_settings', created: EVER, id: null, at: 'changed_at' },
    ...changed('base_pay', '(base_pay - 2)::numeric(18, 4)::text', 'base_pay::text'),
  },
  {
    ...{ role: 'Tech', call: 'POST /api/maintenance/schedules/:name/run', action: 'schedule_run' },
    // Schedules come with the first start.
    ...{ subject: 'schedule', table: 'company', created: EVER, id: "'backup'", at: "now_at - interval '50 hours'" },
  },
  {
    ...{ role: 'Owner', call: 'POST /api/access/workers', action: 'worker_invited', subject: 'worker' },
    ...{ table: 'workers', where: "role <> 'Owner'", at: "created_at + interval '1 second'" },
    after: "jsonb_build_object('role', role)",
  },
  {
    ...{ role: 'Tech', call: 'PATCH /api/access/api-keys/:id', action: 'api_key_changed', subject: 'api_key' },
    ...{ table: 'api_keys', where: 'revoked_at is null' },
    ...changed('requestsPerMinute', 'requests_per_minute / 2', 'requests_per_minute'),
  },
  {
    ...{
      role: 'Owner',
      call: 'POST /api/access/limits',
      action: 'limits_changed',
      subject: 'limits',
      table: 'company',
      created: EVER,
    },
    ...{ id: null, at: "now_at - interval '71 hours'" },
    ...changed('creditsPerDay', '150', String(DEFAULT_LIMITS.creditsPerDay)),
  },
  {
    ...{
      role: 'Owner',
      call: 'PATCH /api/company',
      action: 'company_changed',
      subject: 'company',
      table: 'company',
      created: EVER,
    },
    ...{ id: null, at: "now_at - interval '70 hours'" },
    ...changed('phone', "'+19515550199'"),
  },
]

const select = ({ id = 'id::text', at = AGO, created, where, before, after, reason, ...change }: Change) =>
  sql.raw(`
    select ${at} as at, '${change.role}' as role, '${change.call}' as call, '${change.action}' as action,
      '${change.subject}' as subject, ${id ?? 'null'} as subject_id, ${created ?? 'created_at'} as created_at,
      ${before ?? 'null::jsonb'} as before, ${after ?? 'null::jsonb'} as after, ${reason ?? 'null'}::text as reason
    from (select t.*, n.now_at from ${change.table} t, present n) r ${where ? `where ${where}` : ''}`)

/** Changes of the last days, so that every kind of record has a history to look at. */
export const seedRecordChanges = ({ db, calendar }: SeedContext) =>
  sql`
    with present as (select ${calendar.now}::timestamptz as now_at)
    insert into audit_log (at, worker_id, worker_name, call, action, outcome, subject, subject_id, before, after, reason)
    select d.at, w.id, w.name, d.call, d.action, 'done', d.subject, d.subject_id, d.before, d.after, d.reason
    from (${sql.join(changes.map(select), sql` union all `)}) d
    join lateral (
      select id, name from workers where status = 'active' and (role = d.role or role = 'Owner') order by role = d.role desc, id limit 1
    ) w on true
    where d.at > d.created_at and d.at <= (select now_at from present) and (d.before is null or d.before <> d.after)
    order by d.at`.execute(db)
