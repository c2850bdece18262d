import type { Story } from '../chapter.ts'

/** Campaigns that run or rest, each in the hands of one or two. */
export async function tellCampaignTeams({ db, copy, calendar }: Story, staff: readonly number[]) {
  const campaigns = await db
    .selectFrom('campaigns')
    .select('id')
    .where('status', '<>', 'completed')
    .orderBy('id')
    .execute()
  const rows = campaigns.flatMap(({ id }, index) =>
    [...new Set([staff[index % staff.length], ...(index % 3 === 0 ? [staff[(index + 1) % staff.length]] : [])])].map(
      (worker_id) => ({
        campaign_id: id,
        worker_id,
        assigned_by: staff[0],
        assigned_at: calendar.at(-20 + (index % 15), 10 * 60),
      }),
    ),
  )
  if (staff.length > 0 && rows.length > 0) await copy('campaign_members', rows)
}
