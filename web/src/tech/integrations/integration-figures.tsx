import { useQuery } from '@tanstack/react-query'
import { StatStrip } from '#ui/charts/stat-strip.tsx'
import { formatUpTo } from '#ui/format/row-count.ts'
import { integrationCountsQuery } from './integration.api.ts'
import type { IntegrationSearch } from './integration-search.ts'

type Choice = Pick<IntegrationSearch, 'direction' | 'status'>

const choices: Record<string, Choice> = {
  waiting: { direction: '', status: 'waiting' },
  retrying: { direction: '', status: 'retrying' },
  dead: { direction: '', status: 'dead' },
  sent: { direction: '', status: 'sent' },
  received: { direction: 'in', status: '' },
  troubled: { direction: 'in', status: 'failed' },
}
const all: Choice = { direction: '', status: '' }

interface Props {
  search: IntegrationSearch
  onChange: (change: Choice) => void
}

/** Counts by status; selecting one filters the list. */
export function IntegrationFigures({ search, onChange }: Props) {
  const { data } = useQuery(integrationCountsQuery)
  const shown = (value: number | undefined) => (value === undefined ? '--' : formatUpTo(value))
  const chosen = Object.entries(choices).find(
    ([, { direction, status }]) => direction === search.direction && status === search.status,
  )?.[0]
  return (
    <StatStrip
      label="Deliveries and inbound events"
      chosen={chosen ?? null}
      onChoose={(id) => onChange((id && choices[id]) || all)}
      stats={[
        { id: 'waiting', label: 'Waiting', value: shown(data?.waiting) },
        { id: 'retrying', label: 'Retrying', value: shown(data?.retrying) },
        { id: 'dead', label: 'Failed', value: shown(data?.dead) },
        { id: 'sent', label: 'Sent, last 24 h', value: shown(data?.sent) },
        { id: 'received', label: 'Received, last 24 h', value: shown(data?.received) },
        { id: 'troubled', label: 'Processing failed', value: shown(data?.troubled) },
      ]}
    />
  )
}
