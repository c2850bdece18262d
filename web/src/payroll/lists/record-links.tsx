import { formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import { RecordLink } from '#platform/routing/record-link.tsx'
import { entryName } from '../words.ts'

const DETAILS = '/worker/financial/details'

/** A payroll entry by its name, which opens it. */
export function EntryLink({ id }: { id: number }) {
  return (
    <RecordLink to={DETAILS} search={{ entry: id }} needs="payroll.details">
      {entryName(id)}
    </RecordLink>
  )
}

/** An earner by name, who opens. */
export function EarnerLink({ id, name }: { id: number; name: string }) {
  return (
    <RecordLink to="/worker/financial/earners" search={{ earner: id }} needs={['payroll.details', 'payroll.audit']}>
      {name}
    </RecordLink>
  )
}

interface PeriodLinkProps {
  id: number
  from: string
  to: string
  /** Only the entries of one earner. */
  earner?: number
}

/** A pay period by its days, which opens what it pays. */
export function PeriodLink({ id, from, to, earner }: PeriodLinkProps) {
  const search = { period: id, earner }
  return (
    <RecordLink to={DETAILS} search={search} needs="payroll.details">
      {formatDayRange(from, to)}
    </RecordLink>
  )
}
