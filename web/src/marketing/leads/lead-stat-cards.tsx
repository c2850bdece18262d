import type { ReplyOf } from '@limber/contract/kit/call.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { LeadStats, LeadStatus, listLeads } from '@limber/contract/marketing/leads/lead.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { StatStrip } from '#ui/charts/stat-strip.tsx'
import { statusLabels } from './lead-labels.ts'

const cards = ['new', 'contacted', 'converted', 'not_interested'] as const satisfies readonly (keyof LeadStats)[]

interface Props {
  query: UseQueryResult<ReplyOf<typeof listLeads>>
  status: LeadStatus | ''
  onStatus: (status: LeadStatus | '') => void
}

/** Counts of all leads by status. A click filters the list; a second click clears the filter. */
export function LeadStatCards({ query, status, onStatus }: Props) {
  const stats = query.isError ? undefined : query.data?.stats
  const unknown = query.isError ? 0 : '--'
  return (
    <StatStrip
      label="Leads by status"
      stats={cards.map((id) => ({
        id,
        label: statusLabels[id],
        value: stats ? formatInteger(stats[id]) : unknown,
      }))}
      chosen={status === '' ? null : status}
      onChoose={(id) => onStatus(cards.find((one) => one === id) ?? '')}
    />
  )
}
