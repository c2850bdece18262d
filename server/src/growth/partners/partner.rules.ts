import type { ChangePartner, PartnerStatus } from '@limber/contract/growth/partners/partner.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'

type Stage = 'contacted' | 'pending' | 'active' | 'ended'

/** The result of a status change: the stage, its dates and the text of the note. */
export interface StatusChange {
  stage: Stage
  pilot_ends_on: string | null
  renews_on: string | null
  ended_reason: string | null
  line: string
}

type StatusProblem = 'no_reason' | 'no_renewal' | 'past_renewal'

interface Days {
  today: string
  pilotEndsOn: string
}

/** Decides the new stage, or why the change is refused. */
export function decideStatusChange(
  status: PartnerStatus,
  { reason, renewalDate }: Pick<ChangePartner, 'reason' | 'renewalDate'>,
  { today, pilotEndsOn }: Days,
): StatusChange | StatusProblem {
  const none = { pilot_ends_on: null, renews_on: null, ended_reason: null }
  if (status === 'contacted') return { ...none, stage: 'contacted', line: 'Status changed back to contacted.' }
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
