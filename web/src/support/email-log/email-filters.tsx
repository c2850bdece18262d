import { EmailType } from '@limber/contract/support/email-log/email-log.ts'
import { NativeSelect } from '@mantine/core'
import { DayRange } from '#ui/form/day-range.tsx'
import styles from './email-logs.module.css'
import type { EmailSearch } from './email-search.ts'
import { typeLabels } from './labels.ts'
import { RecipientFilter } from './recipient-filter.tsx'

const types = [
  { value: '', label: 'Any type' },
  ...EmailType.options.map((type) => ({ value: type, label: typeLabels[type] })),
]

interface Props {
  search: EmailSearch
  onChange: (change: Partial<EmailSearch>) => void
}

/** Filters by person, type, state and day. */
export function EmailFilters({ search, onChange }: Props) {
  return (
    <div className={styles.filters}>
      <RecipientFilter recipient={search.recipient} onChange={(recipient) => onChange({ recipient })} />
      <NativeSelect
        label="Type"
        data={types}
        value={search.type}
        onChange={(event) => onChange({ type: event.currentTarget.value as EmailSearch['type'] })}
      />
      <DayRange labels={['Sent from', 'Sent through']} from={search.from} to={search.to} onChange={onChange} />
    </div>
  )
}
