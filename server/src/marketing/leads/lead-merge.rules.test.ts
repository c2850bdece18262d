import { LeadStatus } from '@limber/contract/marketing/leads/lead.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { funnelPosition } from './funnel.rules.ts'
import { combine, type MergingLead, mergeChanges } from './lead-merge.rules.ts'

const day = (n: number) => new Date(Date.UTC(2026, 9, n, 12))

function make(id: number, over: Partial<MergingLead> = {}): MergingLead {
  const { status = 'new', created_at = day(id) } = over
  return {
    id,
    first_name: 'Robin',
    last_name: 'Vega',
    email: 'robin@example.com',
    phone: null,
    source: 'website',
    campaign_id: null,
    status,
    farthest: funnelPosition(status),
    assignee_id: null,
    customer_id: null,
    lost_reason: null,
    created_by: null,
    created_at,
    status_since: created_at,
    first_response_at: null,
    converted_at: status === 'converted' ? day(20) : null,
    leadgen_id: null,
    answers: [],
    version: 1,
    ...over,
  }
}

describe('the status of merged leads', () => {
  it.each<[LeadStatus, LeadStatus, LeadStatus]>([
    ['new', 'contacted', 'contacted'],
    ['contacted', 'new', 'contacted'],
    ['onboarding_started', 'onboarding_completed', 'onboarding_completed'],
    ['contacted', 'converted', 'converted'],
    ['not_interested', 'new', 'new'],
    ['new', 'not_interested', 'new'],
    ['converted', 'not_interested', 'converted'],
    ['not_interested', 'not_interested', 'not_interested'],
  ])('%s merged with %s is %s', (kept, duplicate, expected) => {
    expect(combine(make(1, { status: kept }), make(2, { status: duplicate })).lead.status).toBe(expected)
  })
  it('comes from the kept lead in a tie, with its reason', () => {
    const lost = { status: 'not_interested' } as const
    const { lead, endedId } = combine(
      make(2, { ...lost, lost_reason: 'Too far' }),
      make(1, { ...lost, lost_reason: 'No time' }),
    )
    expect([lead.lost_reason, endedId]).toEqual(['Too far', 1])
  })
  it('comes from the earlier of two conversions', () => {
    const at = (n: number) => ({ status: 'converted', converted_at: day(n), status_since: day(n) }) as const
    for (const [kept, duplicate] of [
      [at(9), at(5)],
      [at(5), at(9)],
    ] as const)
      expect(combine(make(1, kept), make(2, duplicate)).lead.converted_at).toEqual(day(5))
  })
  it('comes with its assignee, or else with the other lead’s assignee', () => {
    const far = { status: 'contacted' } as const
    expect(combine(make(1, { assignee_id: 7 }), make(2, { ...far, assignee_id: 8 })).lead.assignee_id).toBe(8)
    expect(combine(make(1, { assignee_id: 7 }), make(2, far)).lead.assignee_id).toBe(7)
  })
})

it('source, campaign, creation time and creator come from the earlier lead', () => {
  const first = make(1, { source: 'facebook_lead_ad', campaign_id: 3, created_by: null })
  const second = make(2, { source: 'manual', campaign_id: 4, created_by: 9 })
  const touch = { source: 'facebook_lead_ad', campaign_id: 3, created_by: null, created_at: day(1) }
  expect(combine(first, second).lead).toMatchObject(touch)
  expect(combine(second, first).lead).toMatchObject(touch)
})

it('fills in missing fields, and overwrites nothing', () => {
  const bare = make(1, { last_name: '', phone: '+19515550100', email: null })
  const full = make(2, { first_name: 'Bob', phone: '+19515550199', email: 'bob@example.com', customer_id: 5 })
  const { lead } = combine(bare, full)
  const known = { first_name: 'Robin', last_name: 'Vega', email: 'bob@example.com', phone: '+19515550100' }
  expect(lead).toMatchObject({ ...known, customer_id: 5 })
  expect(mergeChanges(bare, lead)).toEqual({
    before: { customer_id: null },
    after: { customer_id: 5, filled: ['last_name', 'email'] },
  })
})

it('combines the answers without repeats', () => {
  const time = (value: string) => ({ name: 'preferred_time', value })
  const { lead, answers } = combine(
    make(1, { answers: [time('Mornings')] }),
    make(2, { answers: [time('Mornings'), time('Evenings')] }),
  )
  expect(lead.answers).toEqual([time('Mornings'), time('Evenings')])
  expect(answers).toBe(1)
})

it('P status, source, first response and furthest step do not depend on which lead is kept', () => {
  const lead = (id: number) =>
    fc
      .record({
        status: fc.constantFrom(...LeadStatus.options),
        created: fc.integer({ min: 1, max: 10 }),
        farthest: fc.integer({ min: 1, max: 5 }),
        answered: fc.option(fc.integer({ min: 10, max: 20 })),
        converted: fc.integer({ min: 10, max: 20 }),
        source: fc.constantFrom('website', 'event', 'manual'),
      })
      .map(({ status, created, farthest, answered, converted, source }) =>
        make(id, {
          ...{ status, farthest, source, created_at: day(created) },
          first_response_at: answered === null ? null : day(answered),
          converted_at: status === 'converted' ? day(converted) : null,
        }),
      )
  fc.assert(
    fc.property(lead(1), lead(2), (a, b) => {
      const [one, other] = [combine(a, b), combine(b, a)]
      const same = ({ lead: { status, created_at, farthest, first_response_at, converted_at } }: typeof one) => ({
        ...{ status, created_at, farthest, first_response_at, converted_at },
      })
      expect(same(one)).toEqual(same(other))
      if (a.created_at.getTime() !== b.created_at.getTime()) expect(one.lead.source).toBe(other.lead.source)
      // A lost lead never wins over an active one.
      if (one.lead.status === 'not_interested')
        expect([a.status, b.status]).toEqual(['not_interested', 'not_interested'])
      expect((one.lead.status === 'converted') === (one.lead.converted_at !== null)).toBe(true)
    }),
  )
})
