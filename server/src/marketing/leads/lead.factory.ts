import type { LeadStatus } from '@limber/contract/marketing/leads/lead.ts'
import type { Insertable } from 'kysely'
import { HOUR, shift } from '#platform/clock.ts'
import type { Db, Tables } from '#platform/db/db.ts'
import { randomToken } from '#platform/security/secrets.ts'
import { factoryNow } from '#platform/testing/factory-clock.ts'
import { furthestPosition } from './funnel.rules.ts'

type LeadRow = Insertable<Tables['leads']>
type StepRow = Insertable<Tables['lead_steps']>
export type LeadDraft = Partial<LeadRow>

/** One status change of a lead; `after` is in hours since its creation. */
export interface StatusChange {
  status: LeadStatus
  after: number
  workerId?: number | undefined
  reason?: string | undefined
}

/** The row of a new lead. */
export function draftLead(overrides: LeadDraft = {}): LeadRow {
  const created_at = overrides.created_at ?? factoryNow()
  return {
    first_name: 'Robin',
    last_name: 'Vega',
    email: overrides.email === undefined ? `robin-${randomToken(6).toLowerCase()}@example.com` : overrides.email,
    phone: null,
    source: 'website',
    campaign_id: null,
    status: 'new',
    assignee_id: null,
    customer_id: null,
    lost_reason: null,
    created_by: null,
    created_at,
    updated_at: created_at,
    status_since: created_at,
    first_response_at: null,
    converted_at: null,
    version: 1,
    ...overrides,
  }
}

/** The steps of a lead, and the columns of the lead that follow from them. */
export function draftSteps(leadId: number, arrivedAt: Date, passed: readonly StatusChange[]) {
  const at = (after: number) => shift(arrivedAt, Math.round(after * HOUR))
  const all: readonly StatusChange[] = [{ status: 'new', after: 0 }, ...passed]
  const steps = all.map(
    ({ status, after, workerId = null, reason = null }, index): StepRow => ({
      lead_id: leadId,
      lead_created_at: arrivedAt,
      status,
      entered_at: at(after),
      left_at: index + 1 < all.length ? at(all[index + 1]?.after ?? after) : null,
      worker_id: workerId,
      reason,
    }),
  )
  const last = all.at(-1) ?? { status: 'new', after: 0 }
  const [, first] = all
  return {
    steps,
    lead: {
      status: last.status,
      farthest: furthestPosition(
        all.map(({ status }) => status),
        last.status,
      ),
      status_since: at(last.after),
      updated_at: at(last.after),
      first_response_at: first ? at(first.after) : null,
      converted_at: last.status === 'converted' ? at(last.after) : null,
      lost_reason: last.status === 'not_interested' ? (last.reason ?? null) : null,
      version: all.length,
    },
  }
}

/** A lead with its status history; New by default. */
export async function makeLead(
  db: Db,
  { passed = [], ...overrides }: LeadDraft & { passed?: readonly StatusChange[] } = {},
) {
  const draft = draftLead(overrides)
  const way = draftSteps(0, new Date(draft.created_at), passed)
  const lead = await db
    .insertInto('leads')
    .values({ ...draft, ...way.lead })
    .returning(['id', 'first_name', 'last_name', 'email', 'phone', 'status', 'created_at', 'version'])
    .executeTakeFirstOrThrow()
  await db
    .insertInto('lead_steps')
    .values(way.steps.map((step) => ({ ...step, lead_id: lead.id })))
    .execute()
  return lead
}

type CampaignRow = Insertable<Tables['campaigns']>

/** An active campaign that starts on its creation date. */
export async function makeCampaign(db: Db, overrides: Partial<CampaignRow> = {}) {
  const created_at = overrides.created_at ?? factoryNow()
  return db
    .insertInto('campaigns')
    .values({
      name: 'Spring opening',
      source: 'facebook_lead_ad',
      budget: '25.0000',
      start_date: new Date(created_at).toISOString().slice(0, 10),
      end_date: null,
      ad_message: null,
      notes: null,
      link_description: null,
      meta_ad_objective: null,
      created_by: null,
      created_at,
      updated_at: created_at,
      ...overrides,
    })
    .returning(['id', 'name', 'status', 'version'])
    .executeTakeFirstOrThrow()
}
