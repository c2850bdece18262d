import { IntegrationStatus } from '@limber/contract/tech/integrations/integration.ts'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { SearchField } from '#ui/form/search-field.tsx'
import styles from '../tech.module.css'
import { integrationCountsQuery } from './integration.api.ts'
import { kindText, statusLabels } from './integration-labels.ts'
import type { IntegrationSearch } from './integration-search.ts'

const directions = [
  { value: '', label: 'Both directions' },
  { value: 'out', label: 'Outgoing' },
  { value: 'in', label: 'Inbound' },
]
const statuses = [
  { value: '', label: 'Any status' },
  ...IntegrationStatus.options.map((status) => ({ value: status, label: statusLabels[status] })),
]

interface Props {
  search: IntegrationSearch
  onChange: (change: Partial<IntegrationSearch>) => void
}

export function IntegrationFilters({ search, onChange }: Props) {
  const known = useQuery(integrationCountsQuery).data?.kinds ?? []
  const kinds = [...new Set([...known.map(({ kind }) => kind), ...(search.kind ? [search.kind] : [])])]
  // Inbound and outgoing text messages are two kinds with the same label.
  const labelOf = (kind: string) => {
    const isOnly = kinds.every((other) => other === kind || kindText(other) !== kindText(kind))
    const direction = known.find((one) => one.kind === kind)?.direction
    return isOnly ? kindText(kind) : `${kindText(kind)}, ${direction === 'in' ? 'inbound' : 'outgoing'}`
  }
  return (
    <div className={styles.filters}>
      <SearchField
        label="Search events"
        placeholder="Description, key or external ID"
        value={search.q}
        onFind={(q) => onChange({ q })}
      />
      <NativeSelect
        aria-label="Status"
        data={statuses}
        value={search.status}
        onChange={(event) => onChange({ status: event.currentTarget.value as IntegrationSearch['status'] })}
      />
      <NativeSelect
        aria-label="Direction"
        data={directions}
        value={search.direction}
        onChange={(event) => onChange({ direction: event.currentTarget.value as IntegrationSearch['direction'] })}
      />
      <NativeSelect
        aria-label="Type"
        data={[{ value: '', label: 'Any type' }, ...kinds.map((kind) => ({ value: kind, label: labelOf(kind) }))]}
        value={search.kind}
        onChange={(event) => onChange({ kind: event.currentTarget.value })}
      />
    </div>
  )
}
