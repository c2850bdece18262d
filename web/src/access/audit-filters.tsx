import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { auditTermsQuery, workersQuery } from './access.api.ts'
import styles from './audit.module.css'
import type { AuditSearch } from './audit-search.ts'

const OTHERS = 'others'

const outcomes = [
  { value: '', label: 'Any outcome' },
  { value: 'done', label: 'done' },
  { value: 'refused', label: 'refused' },
]
const optionsOf = (any: string, terms: readonly string[], chosen: string) => [
  { value: '', label: any },
  ...[...new Set([...terms, ...(chosen ? [chosen] : [])])].map((term) => ({ value: term, label: term })),
]

interface Props {
  search: AuditSearch
  onChange: (change: Partial<AuditSearch>) => void
}

/** What of the log is shown; all of it is in the URL. */
export function AuditFilters({ search, onChange }: Props) {
  const terms = useQuery(auditTermsQuery).data
  const workers = useQuery(workersQuery({ limit: '100' })).data?.workers ?? []
  const people = workers.map(({ id, name }) => ({ value: String(id), label: name }))
  const isListed = people.some(({ value }) => value === search.worker)
  const stranger = search.worker && !isListed ? [{ value: search.worker, label: `Worker ${search.worker}` }] : []
  return (
    <div className={styles.filters}>
      <NativeSelect
        label="Who"
        data={[{ value: '', label: 'Anybody' }, { value: OTHERS, label: 'Changes by others' }, ...people, ...stranger]}
        value={search.others ? OTHERS : search.worker}
        onChange={({ currentTarget: { value } }) =>
          onChange(value === OTHERS ? { others: 'true', worker: '' } : { others: '', worker: value })
        }
      />
      <NativeSelect
        label="Action"
        data={optionsOf('Any action', terms?.actions ?? [], search.action)}
        value={search.action}
        onChange={(event) => onChange({ action: event.currentTarget.value })}
      />
      <NativeSelect
        label="To what"
        data={optionsOf('Anything', terms?.subjects ?? [], search.subject)}
        value={search.subject}
        onChange={(event) => onChange({ subject: event.currentTarget.value, subjectId: '' })}
      />
      <TextInput
        label="Its id"
        value={search.subjectId}
        onChange={(event) => onChange({ subjectId: event.currentTarget.value.trim() })}
      />
      <NativeSelect
        label="Outcome"
        data={outcomes}
        value={search.outcome}
        onChange={(event) => onChange({ outcome: event.currentTarget.value as AuditSearch['outcome'] })}
      />
      <TextInput
        label="From (UTC day)"
        type="date"
        value={search.from}
        onChange={(event) => onChange({ from: event.currentTarget.value })}
      />
      <TextInput
        label="To (UTC day)"
        type="date"
        value={search.to}
        onChange={(event) => onChange({ to: event.currentTarget.value })}
      />
    </div>
  )
}
