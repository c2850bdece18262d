import { sealEmail } from '@limber/server/support/email-log/email-log.seal.ts'
import { textToHtml } from '@limber/server/support/inbox/email-html.rules.ts'
import { sql } from 'kysely'
import type { SeedContext } from '../seeder.ts'

const templates = [
  { subject: 'Stretching at your workplace', header: 'Ten minutes your team will feel all day' },
  { subject: 'A 90-day pilot for your team', header: 'Try it for a quarter' },
  { subject: 'How your sessions went this quarter', header: 'Thank you for having us' },
] as const

const BODY = 'Hello,\n\nWe come to your workplace with a stretcher and two tables. Do you have time to talk next week?'

/** Emails to partners, and customers on their lists of allowed emails. */
export async function seedOutreach(context: SeedContext, staff: readonly number[]) {
  const { db, copy } = context
  const partners = await db
    .selectFrom('businesses')
    .select(['id', 'admin_email', 'last_contact_at'])
    .where('last_contact_at', 'is not', null)
    .orderBy('id')
    .execute()
  const rows = partners.map(({ id, last_contact_at }, index) => ({
    id: index + 1,
    business_id: id,
    worker_id: staff[index % Math.max(1, staff.length)] ?? null,
    ...templates[index % templates.length],
    body: BODY,
    sent: 1,
    skipped: 0,
    created_at: last_contact_at,
  }))
  if (rows.length === 0) return
  await copy('partner_outreach', rows)
  await copy(
    'email_logs',
    partners.map(({ admin_email, last_contact_at }, index) => {
      const { subject, header } = templates[index % templates.length] ?? templates[0]
      const text = `${header}\n\n${BODY}`
      return {
        from_address: 'Limber <no-reply@example.com>',
        ...sealEmail(context.keyring, admin_email, { text, html: textToHtml(text) }),
        subject,
        type: 'outreach',
        created_at: last_contact_at,
      }
    }),
  )
  await sql`
    insert into business_notes (id, business_id, worker_id, stage, note, created_at)
    select (select coalesce(max(id), 0) from business_notes) + id, business_id, worker_id, null, 'Outreach email to 1 person: ' || subject, created_at from partner_outreach order by id`.execute(
    db,
  )
  if (context.scale === 1) await addCustomersToLists(context)
}

const MAX_PER_PARTNER = 24

/** Some employees of partners also book at home. They show what a partnership brings. */
const addCustomersToLists = ({ db }: SeedContext) =>
  sql`
    insert into business_emails (id, business_id, email, created_at)
    select (select max(id) from business_emails) + row_number() over (order by u.id, c.email), u.id, c.email, u.created_at from businesses u
    cross join lateral (
      select c.email from customers c
      where c.zone_id = u.zone_id and c.id % 5 = u.id % 5 and c.merged_into_id is null and c.erased_at is null
        and exists (select from bookings b where b.customer_id = c.id and b.status = 'completed')
      order by c.id limit least(${MAX_PER_PARTNER}, (select count(*) / 2 from business_emails e where e.business_id = u.id))) c
    where (select count(*) from business_emails e where e.business_id = u.id) between 10 and 4000
    on conflict do nothing`.execute(db)
