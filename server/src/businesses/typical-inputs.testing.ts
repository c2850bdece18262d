import { sql } from 'kysely'
import type { Inputs, InputTools } from '#platform/testing/testing.inputs.ts'

const square = (x: number, y: number) => ({
  type: 'Polygon',
  coordinates: [
    [
      [x, y],
      [x + 0.1, y],
      [x + 0.1, y + 0.1],
      [x, y + 0.1],
      [x, y],
    ],
  ],
})

export function businessesInputs({ db, first, byId, withBody, naming, fresh, next }: InputTools): Inputs {
  const ahead = sql`select s.id from onsite_sessions s where cancelled_at is null and starts_at > '2026-11-18' order by starts_at desc`
  const emptyBusiness = sql`select id from businesses b where not exists (select from onsite_sessions s where s.business_id = b.id)
    and not exists (select from prepaid_blocks p where p.business_id = b.id) order by id desc`

  /** A stretcher of a zone who holds every required certification. */
  function goodStretcher(zoneId: number, except = 0) {
    return first(sql`
      select s.id from stretchers s where s.status = 'active' and s.zone_id = ${zoneId} and s.id <> ${except} and not exists (
        select from certification_types t where t.is_required and t.retired_at is null and not exists (
          select from certifications c where c.customer_id = s.customer_id and c.type_id = t.id and c.revoked_at is null
            and coalesce(c.valid_until, '2030-01-01') > '2027-03-01')) order by s.id`)
  }
  return {
    'GET /api/businesses/:id': byId('prepaid_blocks', 'business_id'),
    'POST /api/businesses/blocks/list': withBody('business_id', 'prepaid_blocks', 'business_id'),
    'GET /api/businesses/:id/ledger': byId('block_entries', 'business_id'),
    'POST /api/businesses/emails/list': withBody('business_id', 'business_emails', 'business_id'),
    'POST /api/businesses/emails/check': withBody('business_id', 'business_emails', 'business_id', {
      list: 'a@b.example',
    }),
    'POST /api/onsite/candidates': withBody('prepaid_block_id', 'onsite_sessions', 'block_id', {
      starts_at: '2026-12-01T17:00:00Z',
    }),
    'GET /api/onsite/sessions': async () => ({ query: { from: '2026-11-02', to: '2026-12-13' } }),
    'GET /api/onsite/sessions/:id': byId('onsite_participants', 'session_id'),
    'GET /api/zones/:id': byId('customers', 'zone_id'),
    'POST /api/businesses/create': async () => ({
      body: {
        name: fresh('Harbor '),
        custom_path: fresh('harbor-'),
        admin_email: 'desk@example.com',
        zone_id: (await first(sql`select id from zones order by id`)).id,
      },
    }),
    'POST /api/businesses/update': async () => {
      const row = await first<Record<string, unknown>>(
        sql`select id, name, custom_path, admin_email, zone_id, rep_name from businesses where archived_at is null order by id`,
      )
      return { body: { ...row, name: fresh('Harbor ') } }
    },
    'POST /api/businesses/archive': naming(
      'id',
      sql`select id from businesses b where archived_at is null and not exists (
        select from onsite_sessions s where s.business_id = b.id and s.cancelled_at is null and s.ends_at > '2026-11-01') order by id desc`,
    ),
    'POST /api/businesses/restore': naming(
      'id',
      sql`select id from businesses where archived_at is not null order by id`,
    ),
    'POST /api/businesses/delete': naming('id', emptyBusiness),
    'POST /api/businesses/blocks/create': withBody('business_id', 'prepaid_blocks', 'business_id', {
      block_hours: 4,
      slot_length_minutes: 20,
    }),
    'POST /api/businesses/blocks/update': naming(
      'block_id',
      sql`select id from prepaid_blocks where used_at is null order by id`,
      { internal_label: 'Spring', expires_on: null },
    ),
    'POST /api/businesses/blocks/delete': naming(
      'block_id',
      sql`select id from prepaid_blocks where used_at is null order by id desc`,
    ),
    'POST /api/businesses/emails/update': async () => ({
      body: {
        email_id: (await first(sql`select id from business_emails order by id desc`)).id,
        new_email: `${fresh('x')}@example.com`,
      },
    }),
    'POST /api/businesses/emails/delete': naming('email_id', sql`select id from business_emails order by id desc`),
    'POST /api/businesses/emails/reset': naming(
      'business_id',
      sql`select business_id as id from business_emails group by 1 order by count(*), 1`,
    ),
    'POST /api/businesses/emails/upload': withBody('business_id', 'business_emails', 'business_id', {
      list: 'one@new.example\ntwo@new.example',
    }),
    'POST /api/v1/businesses/:path/check-email': async () => {
      const { path, email } = await first<{ path: string; email: string }>(sql`
        select b.custom_path as path, e.email from business_emails e join businesses b on b.id = e.business_id
        order by e.id desc`)
      return { params: { path }, body: { email } }
    },
    'POST /api/v1/sessions/:id/participants': async () => {
      const { id, email } = await first<{ id: number; email: string }>(sql`
        select s.id, e.email from onsite_sessions s join businesses b on b.id = s.business_id and b.archived_at is null
        join business_emails e on e.business_id = b.id
        where s.cancelled_at is null and s.starts_at > '2026-11-18'
          and (select count(*) from onsite_participants p where p.session_id = s.id) < 6
        order by s.starts_at desc, e.id`)
      return { params: { id: String(id) }, body: { name: 'Ana Ruiz', email } }
    },
    'DELETE /api/v1/sessions/:id/participants/:slot': async () => {
      const { id, slot } = await first<{ id: number; slot: number }>(sql`
        select s.id, p.slot from onsite_participants p join onsite_sessions s on s.id = p.session_id
        where s.starts_at > '2026-11-18' order by s.starts_at desc, p.slot`)
      return { params: { id: String(id), slot: String(slot) } }
    },
    'POST /api/onsite/activate-block': async () => {
      const block = await first<{ id: number; zone_id: number }>(sql`
        select p.id, b.zone_id from prepaid_blocks p join businesses b on b.id = p.business_id
        where p.used_at is null and p.expires_on is null and b.archived_at is null order by p.id`)
      return {
        body: {
          prepaid_block_id: block.id,
          stretcher_id: (await goodStretcher(block.zone_id)).id,
          starts_at: '2027-01-12T18:00:00Z',
        },
      }
    },
    'POST /api/onsite/reschedule': naming('session_id', ahead, { new_starts_at: '2027-01-19T18:00:00Z' }),
    'POST /api/onsite/change-stretcher': async () => {
      const { rows } = await sql<{ id: number; zone_id: number; stretcher_id: number }>`
        select s.id, b.zone_id, s.stretcher_id from onsite_sessions s join businesses b on b.id = s.business_id
        where s.cancelled_at is null and s.starts_at > '2026-11-18' order by s.starts_at desc limit 20`.execute(db)
      for (const session of rows) {
        const other = await goodStretcher(session.zone_id, session.stretcher_id).catch(() => undefined)
        if (other) return { body: { session_id: session.id, new_stretcher_id: other.id } }
      }
      throw new Error('The sample company has no session that another stretcher could take')
    },
    'POST /api/onsite/cancel': naming('session_id', ahead, { reason: 'closed that day' }),
    'POST /api/onsite/not-held': naming(
      'session_id',
      sql`select id from onsite_sessions where cancelled_at is null and starts_at between '2026-11-10' and '2026-11-16T16:00:00Z'
        order by starts_at desc`,
      { reason: 'ill' },
    ),
    'POST /api/zones/create': async () => ({
      body: { name: fresh('Zone '), time_zone: 'America/Los_Angeles', geometry: square(10 + next(), 10) },
    }),
    'POST /api/zones/update': async () => {
      const row = await first<Record<string, unknown>>(sql`select id, time_zone, geometry from zones order by id`)
      return { body: { ...row, name: fresh('Zone ') } }
    },
    'POST /api/zones/delete': naming(
      'id',
      sql`select id from zones z where not exists (select from businesses b where b.zone_id = z.id)
        and not exists (select from customers c where c.zone_id = z.id)
        and not exists (select from stretchers s where s.zone_id = z.id) order by id desc`,
    ),
  }
}
