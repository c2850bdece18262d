import type { setCampaignStatus } from '@limber/contract/marketing/campaigns/campaign.ts'
import type { createLead } from '@limber/contract/marketing/leads/lead.ts'
import { describe, expect, it } from 'vitest'
import { currentOf, failureOf } from './call-failure.ts'

describe('a failed reply', () => {
  it.each([
    [
      'of the server shows its message',
      422,
      '{"error":"Too short.","message":"Too short.","code":"short"}',
      'Too short.',
    ],
    ['of another server shows its message', 400, '{"message":"The shelf is empty."}', 'The shelf is empty.'],
    ['of a proxy gets a default message', 503, '<html>busy</html>', 'The server is busy. Try again in a moment.'],
    ['without content gets a default message', 500, '', 'API request failed'],
    ['with unknown JSON gets a default message', 502, '{}', 'API request failed'],
  ])('%s', (_, status, text, message) => {
    expect(failureOf({ status, text, header: () => null }).message).toBe(message)
  })

  it('of a defect includes the request id, other failures do not', () => {
    const text = '{"error":"It broke.","message":"It broke.","code":"broken"}'
    const header = (name: string) => (name === 'X-Request-Id' ? 'f3a1' : null)
    expect(failureOf({ status: 500, text, header }).message).toBe('It broke. Reference: f3a1')
    expect(failureOf({ status: 409, text, header }).message).toBe('It broke.')
  })

  it('carries the record that the contract defines for call and code', () => {
    const text = '{"error":"Changed.","message":"Changed.","code":"stale","current":{"name":"Sunday","version":2}}'
    const error = failureOf({ status: 409, text, header: () => null })
    expect(currentOf<typeof setCampaignStatus>(error)?.name).toBe('Sunday')
    expect(currentOf<typeof createLead, 'duplicate'>(error, 'duplicate')).toBeUndefined()
    // @ts-expect-error A campaign has no such field.
    expect(currentOf<typeof setCampaignStatus>(error)?.nickname).toBeUndefined()
    // @ts-expect-error The call has no such refusal.
    expect(currentOf<typeof createLead, 'lost'>(error, 'lost')).toBeUndefined()
  })
})
