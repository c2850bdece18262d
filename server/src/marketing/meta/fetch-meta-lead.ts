import { MINUTE, shift } from '#platform/clock.ts'
import { type OutboxMessage, runWork, type Work } from '#platform/db/work.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Schedule } from '#platform/jobs/schedules.ts'
import { settleInbound } from '#platform/outbox/inbound.ts'
import type { Services } from '#platform/services.ts'
import { sweepMedia } from '../campaigns/campaign-media.ts'
import { insertLead } from '../leads/lead-change.queries.ts'
import {
  type Claimed,
  claimLeadgen,
  findByLeadgen,
  findCampaignOfAd,
  findDue,
  postponeLeadgen,
  setLeadgen,
  settleLeadgen,
} from './meta.queries.ts'
import { arrivedAt, GraphLead, personOf, waitMinutes } from './meta.rules.ts'
import { MetaFailure, makeGraph } from './meta-graph.ts'
import { subscribeToLeads } from './meta-page.ts'

const QUEUE = 'meta-lead'
const FIELDS = 'id,created_time,ad_id,campaign_id,form_id,is_organic,field_data'
const BATCH_SIZE = 50

/** The outbox message that starts the fetch of an announced lead. */
export const fetchLeadMessage = (leadgenId: string): OutboxMessage => ({
  channel: 'job',
  key: `meta-lead:${leadgenId}`,
  about: `ad lead ${leadgenId}`,
  payload: { name: QUEUE, data: { leadgenId } },
})

/** Saves a fetched lead; idempotent for repeated notifications. */
async function saveLead({ db, now, audit, publish }: Work, { leadgen_id }: Claimed, lead: GraphLead): Promise<number> {
  const known = await findByLeadgen(db, leadgen_id)
  if (known !== undefined) return known
  const { answers, ...person } = personOf(lead)
  const campaign_id = lead.campaign_id === null ? null : ((await findCampaignOfAd(db, lead.campaign_id)) ?? null)
  const draft = { ...person, campaign_id, source: 'facebook_lead_ad' as const }
  const id = await insertLead(db, draft, {}, arrivedAt(lead, now))
  await setLeadgen(db, id, leadgen_id, answers)
  audit({
    action: 'lead_received',
    subject: 'lead',
    subjectId: id,
    after: { leadgen: leadgen_id, campaign: campaign_id },
  })
  publish('leads', { lead: id })
  return id
}

const actor = { call: `job ${QUEUE}` }

async function postpone(services: Services, claimed: Claimed, failure: MetaFailure): Promise<void> {
  await runWork(services, actor, async (work) => {
    const { leadgen_id, tries, inbound_id } = claimed
    const wait = waitMinutes(failure.kind, tries, failure.regainMinutes)
    if (wait === undefined)
      await settleLeadgen(work.db, leadgen_id, { state: 'failed', error: failure.message }, work.now)
    else await postponeLeadgen(work.db, leadgen_id, failure.message, shift(work.now, wait * MINUTE))
    if (inbound_id !== null) await settleInbound(work, inbound_id, { status: 'failed', error: failure.message })
  })
}

/** Fetches one announced lead. A failure is retried later, or marked as failed if a retry is pointless. */
export async function fetchMetaLead(
  services: Services,
  leadgenId: string,
): Promise<'done' | 'postponed' | 'not waiting'> {
  const { config, db } = services
  if (!config.meta) return 'not waiting'
  const claimed = await claimLeadgen(db, leadgenId)
  if (!claimed) return 'not waiting'
  try {
    const reply = await makeGraph(config.meta).get(leadgenId, { fields: FIELDS })
    const read = GraphLead.safeParse(reply)
    if (!read.success || read.data.id !== leadgenId)
      throw new MetaFailure('rejected', 'The reply from Meta is not a lead.')
    await runWork(services, actor, async (work) => {
      const leadId = await saveLead(work, claimed, read.data)
      await settleLeadgen(work.db, leadgenId, { state: 'done', lead_id: leadId, error: null }, work.now)
      if (claimed.inbound_id !== null) await settleInbound(work, claimed.inbound_id, { status: 'done' })
    })
    return 'done'
  } catch (error) {
    if (!(error instanceof MetaFailure)) throw error
    await postpone(services, claimed, error)
    return 'postponed'
  }
}

/** Fetches due leads. Stops at the first failure, because the others would fail too. */
export async function fetchDueLeads(services: Services): Promise<{ fetched: number }> {
  let fetched = 0
  for (const leadgenId of await findDue(services.db, services.clock.now(), BATCH_SIZE)) {
    const outcome = await fetchMetaLead(services, leadgenId)
    if (outcome === 'done') fetched += 1
    if (outcome === 'postponed') break
  }
  return { fetched }
}

export const marketingJobs: readonly Job[] = [
  { name: QUEUE, run: (services, { leadgenId }) => fetchMetaLead(services, String(leadgenId)) },
]

export const marketingSchedules: readonly Schedule[] = [
  {
    name: 'meta-leads',
    title: 'Retry ad leads that could not be fetched',
    cron: '*/5 * * * *',
    zone: 'UTC',
    run: fetchDueLeads,
  },
  {
    name: 'meta-page',
    title: 'Subscribe to leads of the Meta page',
    cron: '20 * * * *',
    zone: 'UTC',
    run: subscribeToLeads,
  },
  {
    name: 'campaign-media',
    title: 'Delete orphaned campaign media',
    cron: '50 4 * * *',
    zone: 'company',
    run: sweepMedia,
  },
]
