import { sql } from 'kysely'
import type { Inputs, InputTools } from '#platform/testing/testing.inputs.ts'

export const marketingInputs = ({ workerId, first, byId, to, withBody, naming, fresh }: InputTools): Inputs => ({
  'POST /api/marketing/lead': withBody('leadId', 'lead_steps', 'lead_id'),
  'GET /api/campaigns/:id': byId('leads', 'campaign_id'),
  'POST /api/marketing/leads': async () => ({
    body: { first_name: fresh('Noor '), last_name: 'Vale', email: `${fresh('lead')}@example.com` },
  }),
  'PATCH /api/marketing/leads/:id': to(sql`select id from leads where status = 'new' order by id desc`, {
    first_name: 'Nour',
  }),
  'PATCH /api/marketing/leads/status': naming(
    'leadId',
    sql`select id from leads where status = 'new' order by id desc`,
    { status: 'contacted' },
  ),
  'POST /api/marketing/leads/:id/convert': to(
    sql`select id from leads l where status = 'contacted' and email is not null and not exists (
        select from customers c where c.email = l.email) order by id desc`,
  ),
  'POST /api/marketing/leads/:id/convert/undo': to(
    sql`select id from leads where status = 'converted' order by converted_at desc, id desc`,
  ),
  'POST /api/marketing/leads/:id/notes': async () => ({
    params: { id: String((await first(sql`select id from leads order by id desc`)).id) },
    body: { note: 'Called', workerId: await workerId() },
  }),
  'PATCH /api/marketing/leads/:id/assignee': async () => ({
    params: { id: String((await first(sql`select id from leads where status = 'new' order by id desc`)).id) },
    body: { workerId: await workerId() },
  }),
  'POST /api/marketing/leads/:id/merge': async () => {
    const { one, two } = await first<{ one: number; two: number }>(sql`
        select a.id as one, b.id as two from leads a join leads b on b.phone = a.phone and b.id > a.id order by b.id desc`)
    return { params: { id: String(one) }, body: { duplicateId: two } }
  },
  'PATCH /api/marketing/campaigns/:id/status': to(sql`select id from campaigns where status = 'active' order by id`, {
    status: 'paused',
  }),
  'PATCH /api/campaigns/:id': to(sql`select id from campaigns where status = 'active' order by id desc`, {
    notes: 'Doing well',
  }),
})
