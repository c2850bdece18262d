import type { ChangePartner, PartnerStatus } from '@limber/contract/growth/partners/partner.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'

type Stage = 'contacted' | 'pending' | 'active' | 'ended'

/** What a change of status writes down: the stage, the days that belong to it, and the line of the diary. */
export interface Move {
  stage: Stage
  pilot_ends_on: string | null
  renews_on: string | null
  ended_reason: string | null
  line: string
}

type Fault = 'no_reason' | 'no_renewal' | 'past_renewal'

interface Days {
  today: string
  pilotEndsOn: string
}

/** Where a partnership moves to, or why it cannot. */
export function decideMove(
  status: PartnerStatus,
  { reason, renewalDate }: Pick<ChangePartner, 'reason' | 'renewalDate'>,
  { today, pilotEndsOn }: Days,
): Move | Fault {
  const none = { pilot_ends_on: null, renews_on: null, ended_reason: null }
  if (status === 'contacted') return { ...none, stage: 'contacted', line: 'Back to contacted.' }
  if (status === 'pending')
    return {
      ...none,
      stage: 'pending',
      pilot_ends_on: pilotEndsOn,
      line: `90-day pilot until ${formatDay(pilotEndsOn)}.`,
    }
  if (status === 'active') {
    if (!renewalDate) return 'no_renewal'
    if (renewalDate < today) return 'past_renewal'
    return { ...none, stage: 'active', renews_on: renewalDate, line: `Active, renews on ${formatDay(renewalDate)}.` }
  }
  return reason ? { ...none, stage: 'ended', ended_reason: reason, line: `Inactive: ${reason}` } : 'no_reason'
}
