import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DayRange } from '#ui/form/day-range.tsx'
import { optionsOf } from '#ui/form/options-of.ts'
import { auditTermsQuery } from '../access.api.ts'
import { WorkerFilter } from '../workers/worker-filter.tsx'
import styles from './audit.module.css'
import type { AuditSearch } from './audit-search.ts'

const outcomes = optionsOf('Any outcome', ['done', 'refused'])
/** The chosen one stays to be seen, although nobody did it lately. */
const termsWith = (terms: readonly string[] = [], chosen: string) => new Set([...terms, ...(chosen ? [chosen] : [])])

interface Props {
  search: AuditSearch
  onChange: (change: Partial<AuditSearch>) => void
}

/** What of the log is shown; all of it is in the URL. */
export function AuditFilters({ search, onChange }: Props) {
  const terms = useQuery(auditTermsQuery).data
  return (
    <div className={styles.filters}>
      <WorkerFilter worker={search.worker} isOthers={search.others === 'true'} onChange={onChange} />
      <NativeSelect
        label="Action"
        data={optionsOf('Any action', termsWith(terms?.actions, search.action))}
        value={search.action}
        onChange={(event) => onChange({ action: event.currentTarget.value })}
      />
      <NativeSelect
        label="To what"
        data={optionsOf('Anything', termsWith(terms?.subjects, search.subject))}
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
      <DayRange labels={['From (UTC day)', 'To (UTC day)']} from={search.from} to={search.to} onChange={onChange} />
    </div>
  )
}
