import {
  FIRST_RESPONSE_HOURS,
  type Lead,
  type LeadStatus,
  leadStatusLabels,
} from '@limber/contract/marketing/leads/lead.ts'
import { CallFailure } from '#platform/api/call-failure.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

export const statusLabels = leadStatusLabels

export const statusMeaning: Record<LeadStatus, Meaning> = {
  new: 'blue',
  onboarding_started: 'teal',
  onboarding_completed: 'teal',
  contacted: 'amber',
  converted: 'green',
  not_interested: 'plain',
}

/** The display name. Not every form asks for a name. */
export const nameOf = (lead: Pick<Lead, 'first_name' | 'last_name' | 'email' | 'phone'>) =>
  `${lead.first_name} ${lead.last_name}`.trim() || lead.email || lead.phone || 'Unknown'

/** Tells which lead a merged lead is now part of. */
export const mergedText = (id: number, kept: Pick<Lead, 'first_name' | 'last_name' | 'email' | 'phone'>) =>
  `Lead ${id} is now part of ${nameOf(kept)}.`

/** Only the HTTP status, such as 'Error 503'; the server's message is shown below it. */
export const errorTitle = (error: unknown) =>
  error instanceof CallFailure && error.status > 0 ? `Error ${error.status}` : 'Error'

const MINUTE = 60_000
const HOUR = 60
const DAY = 24 * HOUR

/** A duration in its two largest units: `12 min`, `3 h 20 min`, `2 d 4 h`. */
export function spanText(minutes: number): string {
  const whole = Math.max(0, Math.round(minutes))
  if (whole < HOUR) return `${whole} min`
  const [large, small] = whole < DAY ? [HOUR, 1] : [DAY, HOUR]
  const rest = Math.floor((whole % large) / small)
  const [first, second] = whole < DAY ? ['h', 'min'] : ['d', 'h']
  return `${Math.floor(whole / large)} ${first}${rest > 0 ? ` ${rest} ${second}` : ''}`
}

const minutesBetween = (from: string, to: Date | string) => (new Date(to).getTime() - Date.parse(from)) / MINUTE

/** How long the first response took, or how long the lead has been waiting, and whether that is too long. */
export function responseOf(lead: Pick<Lead, 'createdAt' | 'firstResponseAt'>, now: Date) {
  const minutes = minutesBetween(lead.createdAt, lead.firstResponseAt ?? now)
  return {
    isWaiting: lead.firstResponseAt === null,
    isLate: minutes > FIRST_RESPONSE_HOURS * HOUR,
    text: spanText(minutes),
  }
}

/** The label of a form question by its key: `preferred_time` becomes 'Preferred time'. */
export function questionText(key: string): string {
  const words = key.replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The selectable reasons for a lost lead. */
export const lostReasons = [
  'Too expensive',
  'No time right now',
  'Outside our zones',
  'Never responded',
  'Chose another provider',
  'Wrong number or address',
]
