import { TIME_ZONE } from '../calendar.ts'
import type { Seeder } from '../seeder.ts'

/** The profile of the company. Its Owner has set up what the company needs and hidden the guide. */
export const company: Seeder = {
  name: 'Company',
  async seed({ db, calendar }) {
    const owner = await db
      .selectFrom('workers')
      .select('id')
      .where('role', '=', 'Owner')
      .orderBy('id')
      .executeTakeFirstOrThrow()
    const at = calendar.at(-1100, 10 * 60)
    await db
      .updateTable('company')
      .set({
        name: 'Inland Stretch',
        legal_name: 'Inland Stretch Sessions, Inc.',
        address_line: '3750 University Ave, Suite 200',
        city: 'Riverside',
        state: 'CA',
        postal_code: '92501',
        latitude: 33.95,
        longitude: -117.4,
        phone: '+19515550100',
        time_zone: TIME_ZONE,
        saved_at: at,
        guide_hidden_at: at,
        guide_hidden_by: owner.id,
        version: 1,
      })
      .execute()
  },
}
