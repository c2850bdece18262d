import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DayRange } from '#ui/form/day-range.tsx'
import { optionsOf } from '#ui/form/options-of.ts'
import { auditTermsQuery } from '../access.api.ts'
import { WorkerFilter } from '../workers/worker-filter.tsx'
import styles from './audit.module.css'
import { actionLabel, outcomeLabels } from './audit-labels.ts'
import type { AuditSearch } from './audit-search.ts'

const outcomes = [
  { value: '', label: 'Any outcome' },
  ...Object.entries(outcomeLabels).map(([value, label]) => ({ value, label })),
]
/** The selected term stays in the list even when the log no longer has it. */
const termOptions = (any: string, terms: readonly string[] = [], selected: string) =>
  optionsOf(any, new Set([...terms, ...(selected ? [selected] : [])])).map(({ value, label }) => ({
    value,
    label: value ? actionLabel(value) : label,
  }))

interface Props {
  search: AuditSearch
  onChange: (change: Partial<AuditSearch>) => void
}

/** The filters of the log, kept in the URL. */
export function AuditFilters({ search, onChange }: Props) {
  const terms = useQuery(auditTermsQuery).data
  return (
    <div className={styles.filters}>
      <WorkerFilter worker={search.worker} isOthers={search.others === 'true'} onChange={onChange} />
      <NativeSelect
        label="Action"
        data={termOptions('Any action', terms?.actions, search.action)}
        value={search.action}
        onChange={(event) => onChange({ action: event.currentTarget.value })}
      />
      <NativeSelect
        label="Record type"
        data={termOptions('Any record', terms?.subjects, search.subject)}
        value={search.subject}
        onChange={(event) => onChange({ subject: event.currentTarget.value, subjectId: '' })}
      />
      <TextInput
        label="Record ID"
        value={search.subjectId}
        onChange={(event) => onChange({ subjectId: event.currentTarget.value.trim() })}
      />
      <NativeSelect
        label="Outcome"
        data={outcomes}
        value={search.outcome}
        onChange={(event) => onChange({ outcome: event.currentTarget.value as AuditSearch['outcome'] })}
      />
      <DayRange labels={['From (UTC)', 'To (UTC)']} from={search.from} to={search.to} onChange={onChange} />
    </div>
  )
}
