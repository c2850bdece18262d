import { seedAuditTrail } from '../growth/audit-trail.ts'
import { seedCampaignTeams } from '../growth/campaign-teams.ts'
import { seedOutreach } from '../growth/outreach.ts'
import { seedRecordChanges } from '../growth/record-changes.ts'
import { seedSuspiciousReferrals } from '../growth/suspicious-referrals.ts'
import type { Seeder } from '../seeder.ts'

/** Growth work besides cities: emails to partners, campaign teams, and reviews of suspicious referrals. */
export const partnering: Seeder = {
  name: 'Referrals, team and partners',
  async seed(context) {
    const workers = await context.db
      .selectFrom('workers')
      .select('id')
      .where('status', '=', 'active')
      .where('role', 'in', ['Marketing', 'Growth'])
      .orderBy('id')
      .execute()
    const staff = workers.map(({ id }) => Number(id))
    await seedOutreach(context, staff)
    await seedCampaignTeams(context, staff)
    // A larger company is loaded without indexes, and is only used for benchmarks.
    if (context.scale > 1) return
    await seedSuspiciousReferrals(context, staff)
    await seedAuditTrail(context)
    await seedRecordChanges(context)
  },
}
