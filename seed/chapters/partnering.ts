import type { Chapter } from '../chapter.ts'
import { tellAuditTrail } from '../growth/audit-trail.ts'
import { tellOutreach } from '../growth/outreach.ts'
import { tellSuspicious } from '../growth/suspicious.ts'
import { tellCampaignTeams } from '../growth/teams.ts'

/** What growth staff do beside cities: partners they write to, campaigns they share, referrals they look at twice. */
export const partnering: Chapter = {
  name: 'Referrals, team and partners',
  async tell(story) {
    const workers = await story.db
      .selectFrom('workers')
      .select('id')
      .where('status', '=', 'active')
      .where('role', 'in', ['Marketing', 'Growth'])
      .orderBy('id')
      .execute()
    const staff = workers.map(({ id }) => Number(id))
    await tellOutreach(story, staff)
    await tellCampaignTeams(story, staff)
    // A larger company is loaded without indexes, and is there to be measured, not to be looked at.
    if (story.scale > 1) return
    await tellSuspicious(story, staff)
    await tellAuditTrail(story)
  },
}
