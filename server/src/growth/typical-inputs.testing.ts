import { sql } from 'kysely'
import type { Inputs, InputTools } from '#platform/testing/testing.inputs.ts'

export const growthInputs = ({ workerId, mostFrequent, first, byId, to, sending }: InputTools): Inputs => ({
  'GET /api/marketing/figures/:figure': async () => ({ params: { figure: 'users' } }),
  'GET /api/marketing/city-summary': async () => ({
    query: { zoneId: String(await mostFrequent('customers', 'zone_id')) },
  }),
  'GET /api/marketing/referrals/people/:id': to(
    sql`select id from customers where referred_by_customer_id is not null order by id`,
  ),
  'GET /api/marketing/partner/businesses/:id': byId('onsite_sessions', 'business_id'),
  'POST /api/marketing/tasks': sending({ title: 'Call the gym', priority: 'high' }),
  'PATCH /api/marketing/tasks/:id': to(sql`select id from city_tasks order by id`, { status: 'done' }),
  'POST /api/marketing/referrals/people/:id/review': to(
    sql`select id from customers where referred_by_customer_id is not null order by id desc`,
    { decision: 'approved', reason: 'known' },
  ),
  'POST /api/marketing/team/campaigns/:id/members': async () => ({
    params: { id: String((await first(sql`select id from campaigns where status = 'active' order by id`)).id) },
    body: { workerId: await workerId() },
  }),
  'PATCH /api/marketing/partner/businesses/:id': to(
    sql`select id from businesses where archived_at is null order by id`,
    {
      renewalDate: '2027-03-01',
    },
  ),
  'POST /api/marketing/partner/businesses/:id/notes': to(
    sql`select id from businesses where archived_at is null order by id`,
    { note: 'Called' },
  ),
  'POST /api/marketing/partner/send-email': async () => {
    const { id, email } = await first<{ id: number; email: string }>(
      sql`select id, admin_email as email from businesses where archived_at is null order by id`,
    )
    return { body: { recipients: [email], subject: 'Hello', body: 'A word', businessId: id } }
  },
})
