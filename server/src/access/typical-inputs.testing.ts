import { codeOf } from '@limber/contract/access/permissions.ts'
import { sql } from 'kysely'
import type { Input, Inputs, InputTools } from '#platform/testing/testing.inputs.ts'

export function accessInputs({ db, workerId, first, byId, to, sending, made, fresh, next }: InputTools): Inputs {
  /** A delivery of a webhook, whose id has the name given. */
  const delivery = (name: string) => async (): Promise<Input> => {
    const found = await first<{ id: number; endpoint_id: number }>(
      sql`select id, endpoint_id from webhook_deliveries
        where endpoint_id in (select id from webhook_endpoints where source = 'app') order by id`,
    )
    return { params: { id: String(found.endpoint_id), [name]: String(found.id) } }
  }
  /** One of two new passkeys of the caller. */
  const passkey = async () =>
    made(sql`insert into passkeys (worker_id, credential_id, public_key, counter, is_backup_eligible, is_backed_up, aaguid, name, created_at, confirmed_at)
      select worker_id, sha256(gen_random_uuid()::text::bytea), '\\x01', 0, false, false, gen_random_uuid(), 'Phone', created_at, created_at
      from sessions, generate_series(1, 2) where worker_id = ${await workerId()} limit 2 returning id`)
  const recovery = async () => ({
    ...(await made(sql`insert into recovery_requests (worker_id, created_at, expires_at)
      select w.id, s.created_at, s.created_at + interval '1 day' from workers w, sessions s
      where w.status = 'active' and w.role is distinct from 'Owner' and s.worker_id = ${await workerId()}
        and not exists (select from recovery_requests r where r.worker_id = w.id and r.state = 'open')
      order by w.id desc limit 1 returning id`)),
    body: {},
  })
  return {
    'GET /api/access/audit/entries/:id': byId('audit_log'),
    'GET /api/access/workers/:id': byId('sessions', 'worker_id'),
    'POST /api/access/audit/verify': sending(),
    'POST /api/access/workers/invite': async () => ({
      body: { email: `${fresh('new')}@example.com`, name: 'Noor Vale', permissions: [codeOf('tickets.handle')] },
    }),
    'PATCH /api/access/workers/:id': async () => {
      const { id, ...row } = await first<{ id: number; name: string; email: string; version: number }>(
        sql`select id, name, email, version from workers where role is distinct from 'Owner' and email not like 'worker-%' order by id desc`,
      )
      return { params: { id: String(id) }, body: { ...row, name: fresh('Noor ') } }
    },
    'PATCH /api/access/workers/:id/permissions': async () => {
      const { id, version } = await first<{ id: number; version: number }>(
        sql`select id, version from workers where status = 'active' and role is distinct from 'Owner' and email not like 'worker-%' order by id`,
      )
      return {
        params: { id: String(id) },
        body: { role: null, permissions: [codeOf('tickets.handle'), codeOf('users.overview')], version },
      }
    },
    'POST /api/access/workers/:id/disable': to(
      sql`select id from workers where status = 'active' and role is distinct from 'Owner' and email not like 'worker-%' order by id`,
      { reason: 'left' },
    ),
    'POST /api/access/workers/:id/enable': to(sql`select id from workers where status = 'disabled' order by id`, {}),
    'POST /api/access/workers/:id/end-sessions': to(
      sql`select id from workers where status = 'active' and email not like 'worker-%' order by id`,
      {},
    ),
    'POST /api/access/workers/:id/resend-link': to(sql`select id from workers where status = 'invited'`, {}),
    'POST /api/access/workers/:id/revoke-link': to(sql`select id from workers where status = 'invited'`, {}),
    'POST /api/access/workers/:id/show-link': to(sql`select id from workers where status = 'invited'`, {}),
    'POST /api/access/limits': async () => ({ body: { creditsPerDay: 200 + next() } }),
    'POST /api/access/recoveries/:id/approve': recovery,
    'POST /api/access/recoveries/:id/deny': recovery,
    'POST /api/access/webhooks': async () => ({
      body: { url: 'https://hooks.example.com/', events: ['customer.updated'] },
    }),
    'PATCH /api/access/webhooks/:id': async () => {
      const { id, version } = await first<{ id: number; version: number }>(
        sql`select id, version from webhook_endpoints order by id`,
      )
      return { params: { id: String(id) }, body: { description: fresh('Endpoint '), version } }
    },
    'DELETE /api/access/webhooks/:id': to(sql`select id from webhook_endpoints order by id desc`),
    'POST /api/access/webhooks/:id/rotate': to(sql`select id from webhook_endpoints order by id`, { overlapHours: 24 }),
    'POST /api/access/webhooks/:id/test': to(sql`select id from webhook_endpoints order by id`),
    'POST /api/access/webhooks/:id/redeliver': to(sql`select id from webhook_endpoints order by id`, {
      since: '2020-01-01T00:00:00Z',
    }),
    'GET /api/access/webhooks/:id/deliveries': to(sql`select id from webhook_endpoints order by id`),
    'GET /api/access/webhooks/:id/deliveries/:deliveryId': delivery('deliveryId'),
    'POST /api/access/webhooks/:id/deliveries/:deliveryId/redeliver': delivery('deliveryId'),
    'GET /api/v1/webhooks/:id': to(sql`select id from webhook_endpoints where source = 'app' order by id`),
    'POST /api/v1/webhooks': async () => ({
      body: { url: 'https://hooks.example.com/', events: ['customer.updated'] },
    }),
    'PATCH /api/v1/webhooks/:id': to(sql`select id from webhook_endpoints where source = 'app' order by id`, {
      description: 'App',
    }),
    'DELETE /api/v1/webhooks/:id': to(sql`select id from webhook_endpoints where source = 'app' order by id desc`),
    'POST /api/v1/webhooks/:id/rotate': to(sql`select id from webhook_endpoints where source = 'app' order by id`, {
      overlap_hours: 24,
    }),
    'POST /api/v1/webhooks/:id/test': to(sql`select id from webhook_endpoints where source = 'app' order by id`),
    'POST /api/v1/webhooks/:id/redeliver': to(sql`select id from webhook_endpoints where source = 'app' order by id`, {
      since: '2020-01-01T00:00:00Z',
    }),
    'GET /api/v1/webhooks/:id/deliveries': to(sql`select id from webhook_endpoints where source = 'app' order by id`),
    'POST /api/v1/webhooks/:id/deliveries/:delivery_id/redeliver': delivery('delivery_id'),
    'POST /api/access/api-keys': async () => ({
      body: { name: fresh('Key '), source: 'app', scopes: ['customers:read', 'events:write'] },
    }),
    'PATCH /api/access/api-keys/:id': async () => {
      const { id, version } = await first<{ id: number; version: number }>(
        sql`select id, version from api_keys where revoked_at is null order by id`,
      )
      return { params: { id: String(id) }, body: { name: fresh('Key '), version } }
    },
    'POST /api/access/api-keys/:id/rotate': to(sql`select id from api_keys where revoked_at is null order by id`, {
      overlapHours: 24,
    }),
    'POST /api/access/api-keys/:id/revoke': to(sql`select id from api_keys where revoked_at is null order by id`, {}),
    'POST /api/recovery/request': sending({ email: 'nobody@example.com' }),
    'POST /api/recovery/redeem': sending({ email: 'nobody@example.com', code: 'abcd-efgh-jkmn' }),
    'POST /api/auth/verify-credentials': sending({ email: 'nobody@example.com' }),
    'POST /api/auth/step-up/start': async () => {
      await passkey()
      return { body: {} }
    },
    'PATCH /api/profile': async () => {
      const { rows } = await sql<{ email: string; version: number }>`
        update workers set role = 'Owner' where id = ${await workerId()} returning email, version`.execute(db)
      return { body: { name: fresh('Noor '), ...rows[0] } }
    },
    'PATCH /api/profile/passkeys/:id': async () => ({ ...(await passkey()), body: { name: 'Laptop' } }),
    'DELETE /api/profile/passkeys/:id': passkey,
    'DELETE /api/profile/sessions/:id': async () =>
      made(sql`insert into sessions (token_hash, worker_id, created_at, last_seen_at)
        select sha256(gen_random_uuid()::text::bytea), worker_id, created_at, last_seen_at from sessions
        where worker_id = ${await workerId()} limit 1 returning id`),
    'DELETE /api/profile/devices/:id': async () =>
      made(sql`insert into devices (worker_id, token_hash, label, created_at, last_used_at, expires_at)
        select worker_id, sha256(gen_random_uuid()::text::bytea), 'Firefox', created_at, created_at, created_at + interval '30 days'
        from sessions where worker_id = ${await workerId()} limit 1 returning id`),
    'POST /api/profile/passkeys/start': sending(),
    'POST /api/profile/recovery-codes': sending(),
    'GET /api/history/:kind/:id': async () => ({
      params: { kind: 'lead', id: String((await first(sql`select id from leads where erased_at is null`)).id) },
    }),
    'POST /api/profile/authenticator/start': sending(),
  }
}
