import { type FigureName, SUMMARY_DAYS } from '@limber/contract/growth/overview/figure.ts'
import type { ReferrerKind } from '@limber/contract/growth/referrals/referral.ts'
import { sql } from 'kysely'
import type { Scope, Source } from './figure-source.queries.ts'
import { day, dayOf, isUser, startOf } from './measure.queries.ts'

type Sql = Source['matches']

const count = sql`count(*)`
const sum = sql`coalesce(sum(worth), 0)`

/** What counts of the referrals of each referrer toward a reward, less the rewards already credited. */
export const rewardsDue = sql`
  select f.referrer_id, greatest(0, f.deserved - coalesce(w.credits, 0)) as due
  from (
    select r.referrer_id, count(*) filter (where r.converted_at is not null and (d.decision = 'approved' or (d.decision is null and r.reasons = '{}'))) as deserved
    from referrals r
    left join (select distinct on (customer_id) customer_id, decision from referral_reviews order by customer_id, id desc) d on d.customer_id = r.customer_id
    where r.kind = 'user' group by 1) f
  left join (select customer_id, sum(delta) as credits from credit_entries where kind = 'referral' group by 1) w on w.customer_id = f.referrer_id`

const referrals = (which: Sql, value = count): Source => ({
  kind: 'referral',
  matches: sql`select r.customer_id as id, ${dayOf(sql`r.joined_at`)} as day, r.earnings as worth from referrals r where ${which}`,
  value,
})

const isConverted = sql`r.converted_at is not null`
const isPending = sql`r.converted_at is null`
const isBy = (kind: ReferrerKind) => sql`r.kind = ${kind}`
const hasBooked = (kind: ReferrerKind) => sql`${isBy(kind)} and r.booked_at is not null`
/** The referrals of the one referrer with the most. */
const isOfTop = (most: Sql) =>
  sql`(r.kind, r.referrer_id) in (select kind, referrer_id from referrals group by 1, 2 order by ${most} desc, 1, 2 limit 1)`

const leads = (which: Sql, worth = sql`null::numeric`, value = count): Source => ({
  kind: 'lead',
  matches: sql`select l.id, ${dayOf(sql`l.created_at`)} as day, ${worth} as worth from leads l where ${which}`,
  value,
})

/** Leads received in the days of the team's results. */
const isRecent = ({ today }: Scope) => sql`l.created_at >= ${startOf(day(today, 1 - SUMMARY_DAYS))}`
const minutesToResponse = sql`extract(epoch from l.first_response_at - l.created_at) / 60`

const ofCampaign = ({ campaignId }: Scope) =>
  campaignId === undefined ? sql`l.campaign_id is not null` : sql`l.campaign_id = ${campaignId}`

/** Leads with a step of the worker, counted once. */
const movedBy = ({ workerId }: Scope, which: Sql) =>
  sql`l.id in (select s.lead_id from lead_steps s where ${which} and ${workerId === undefined ? sql`s.worker_id is not null` : sql`s.worker_id = ${workerId}`})`

const campaigns = (which: Sql): Source => ({
  kind: 'campaign',
  matches: sql`select c.id, c.start_date as day from campaigns c where ${which}`,
  value: count,
})

/** The figures of referrals, the team and campaigns. They cover the whole company. */
export const resultSources = {
  naturalGrowth: () => ({
    kind: 'customer',
    matches: sql`
      select c.id, ${dayOf(sql`c.joined_at`)} as day from customers c
      where ${isUser} and not exists (select from referrals r where r.customer_id = c.id)`,
    value: count,
  }),
  stretcherReferrals: () => referrals(isBy('stretcher')),
  workerReferrals: () => referrals(isBy('worker')),
  userReferrals: () => referrals(isBy('user')),
  pendingReferrals: () => referrals(isPending),
  convertedReferrals: () => referrals(isConverted),
  redeemableReferrals: () => ({
    kind: 'referrer',
    matches: sql`select d.referrer_id as id, null::date as day, d.due as worth from (${rewardsDue}) d where d.due > 0`,
    value: sum,
  }),
  referralEarnings: () => referrals(sql`r.earnings <> 0`, sum),
  storedEarnings: () => referrals(sql`${isPending} and r.earnings <> 0`, sum),
  topReferrer: () => referrals(isOfTop(sql`count(*)`)),
  topEarner: () => referrals(isOfTop(sql`sum(earnings)`), sum),
  stretcherReferralBookings: () => referrals(hasBooked('stretcher')),
  workerReferralBookings: () => referrals(hasBooked('worker')),
  userReferralBookings: () => referrals(hasBooked('user')),
  teamLeads: (scope) => leads(isRecent(scope)),
  teamConversions: (scope) => leads(sql`${isRecent(scope)} and l.status = 'converted'`),
  leadResponse: (scope) => ({
    ...leads(sql`${isRecent(scope)} and l.first_response_at is not null`, minutesToResponse, sql`round(avg(worth), 4)`),
    kind: 'response',
  }),
  managedCampaigns: () =>
    campaigns(sql`c.status <> 'completed' and exists (select from campaign_members m where m.campaign_id = c.id)`),
  contactedLeads: (scope) => leads(movedBy(scope, sql`s.status = 'contacted'`)),
  convertedLeads: (scope) => leads(movedBy(scope, sql`s.status = 'converted' and s.left_at is null`)),
  activeCampaigns: ({ today }) => campaigns(sql`c.status = 'active' and c.start_date <= ${today}`),
  completedCampaigns: () => campaigns(sql`c.status = 'completed'`),
  campaignLeads: (scope) => leads(ofCampaign(scope)),
  campaignConversions: (scope) => leads(sql`${ofCampaign(scope)} and l.status = 'converted'`),
} satisfies Partial<Record<FigureName, (scope: Scope) => Source>>
