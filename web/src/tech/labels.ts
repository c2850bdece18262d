import type { Timeframe } from '@limber/contract/analytics/events/event.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { ErrorGroup } from '@limber/contract/tech/errors/error-log.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

export const timeframes: readonly { value: Timeframe; label: string }[] = [
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
]

export const timeframeTexts: Record<Timeframe, string> = {
  hour: 'the last hour',
  day: 'the last 24 hours',
  week: 'the last 7 days',
  month: 'the last 30 days',
}

type GroupState = Pick<ErrorGroup, 'state' | 'timesReopened'>
const hasRecurred = ({ state, timesReopened }: GroupState) => state === 'open' && timesReopened > 0

/** The state of an error group. A handled group that failed again is highlighted. */
export const stateText = (group: GroupState): string => (hasRecurred(group) ? 'recurred' : group.state)
export const stateMeaning = (group: GroupState): Meaning =>
  hasRecurred(group) ? 'red' : group.state === 'open' ? 'amber' : 'green'

export const timesText = (count: number) => (count === 1 ? 'once' : `${formatInteger(count)} times`)
