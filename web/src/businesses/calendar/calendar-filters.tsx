import { SessionState } from '@limber/contract/businesses/blocks/block.ts'
import { NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { zonesQuery } from '../business/business.api.ts'
import { sessionLabels } from '../labels.ts'
import styles from './calendar.module.css'
import type { CalendarSearch, ChangeCalendar } from './calendar-search.ts'

/** The searchable select is large, so it loads separately and the calendar does not wait for it. */
const StretcherFind = lazy(() => import('./stretcher-find.tsx'))

const statuses = [
  { value: '', label: 'Not canceled' },
  ...SessionState.options.map((state) => ({ value: state, label: sessionLabels[state][1] })),
]

/** Zone, stretcher and status filters, kept in the URL. */
export function CalendarFilters({ search, onChange }: { search: CalendarSearch; onChange: ChangeCalendar }) {
  const zones = useQuery(zonesQuery).data?.zones ?? []
  const zoneOptions = [
    { value: '0', label: 'Any zone' },
    ...zones.map(({ id, name }) => ({ value: String(id), label: name })),
  ]
  const filter = (change: Partial<CalendarSearch>) => onChange(change, { replace: true })
  return (
    <div className={styles.filters}>
      <NativeSelect
        aria-label="Zone"
        data={zoneOptions}
        value={String(search.zone)}
        onChange={(event) => filter({ zone: Number(event.currentTarget.value) })}
      />
      <Suspense fallback={<TextInput aria-label="Stretcher" placeholder="Any stretcher" disabled />}>
        <StretcherFind stretcher={search.stretcher} onChange={(stretcher) => filter({ stretcher })} />
      </Suspense>
      <NativeSelect
        aria-label="Status"
        data={statuses}
        value={search.status}
        onChange={(event) => filter({ status: event.currentTarget.value as CalendarSearch['status'] })}
      />
    </div>
  )
}
