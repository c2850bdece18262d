import { codeOf } from '@limber/contract/access/permissions.ts'
import { DAY, shift } from '@limber/server/platform/clock.ts'
import { sql } from 'kysely'
import type { Chapter, Story } from '../chapter.ts'
import { tellCampaigns } from '../marketing/campaigns.ts'
import { tellLeads } from '../marketing/leads.ts'
import { makePhoneBook } from '../people/phone-book.ts'
import { CUSTOMERS_PER_PART } from './people.ts'

/** Numbers that no customer has: leads are other people. A larger company has more than stories have numbers. */
async function openPhoneBook({ db, scale }: Story) {
  if (scale > 1) return makePhoneBook(scale, CUSTOMERS_PER_PART)
  const known = await db.selectFrom('customers').select('phone').execute()
  return makePhoneBook(
    0,
    CUSTOMERS_PER_PART,
    known.flatMap(({ phone }) => phone ?? []),
  )
}

/** How the company found its customers: a year of campaigns and leads. */
export const marketing: Chapter = {
  name: 'Marketing',
  async tell(story) {
    const { db, calendar } = story
    const workers = await db
      .selectFrom('workers')
      .select('id')
      .where('status', '=', 'active')
      .where('role', 'in', ['Marketing', 'Growth'])
      .where(sql<boolean>`permissions @> array[${codeOf('growth.tab')}::text]`)
      .orderBy('id')
      .execute()
    const staff = workers.map(({ id }) => id)
    const campaigns = await tellCampaigns(story, staff)
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
    await tellLeads(story, campaigns, { customers: joined, staff, phoneBook: await openPhoneBook(story) })
  },
}
