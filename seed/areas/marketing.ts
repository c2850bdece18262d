import { codeOf } from '@limber/contract/access/permissions.ts'
import { DAY, shift } from '@limber/server/platform/clock.ts'
import { sql } from 'kysely'
import { seedCampaigns } from '../marketing/campaigns.ts'
import { seedLeads } from '../marketing/leads.ts'
import { makePhoneBook } from '../people/phone-book.ts'
import type { SeedContext, Seeder } from '../seeder.ts'

/** Numbers that no customer has, because leads are other people. A larger company needs more than the reserved numbers. */
async function openPhoneBook({ db, scale, partSize }: SeedContext) {
  if (scale > 1) return makePhoneBook(scale, partSize)
  const known = await db.selectFrom('customers').select('phone').execute()
  return makePhoneBook(
    0,
    partSize,
    known.flatMap(({ phone }) => phone ?? []),
  )
}

/** A year of campaigns and leads. */
export const marketing: Seeder = {
  name: 'Marketing',
  async seed(context) {
    const { db, calendar } = context
    const workers = await db
      .selectFrom('workers')
      .select('id')
      .where('status', '=', 'active')
      .where('role', 'in', ['Marketing', 'Growth'])
      .where(sql<boolean>`permissions @> array[${codeOf('growth.tab')}::text]`)
      .orderBy('id')
      .execute()
    const staff = workers.map(({ id }) => id)
    const campaigns = await seedCampaigns(context, staff)
    const joined = await db
      .selectFrom('customers as c')
      .select(['c.id', 'c.first_name', 'c.last_name', 'c.email', 'c.phone', 'c.joined_at'])
      .where('c.joined_at', '>', shift(calendar.now, -330 * DAY))
      .where('c.referred_by_customer_id', 'is', null)
      .where((row) =>
        row.not(row.exists(row.selectFrom('stretchers').select('id').whereRef('customer_id', '=', 'c.id'))),
      )
      .orderBy('c.id')
      .execute()
    await seedLeads(context, campaigns, { customers: joined, staff, phoneBook: await openPhoneBook(context) })
  },
}
