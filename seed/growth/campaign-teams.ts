import type { SeedContext } from '../seeder.ts'

/** Assigns one or two workers to each campaign that is not completed. */
export async function seedCampaignTeams({ db, copy, calendar }: SeedContext, staff: readonly number[]) {
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
