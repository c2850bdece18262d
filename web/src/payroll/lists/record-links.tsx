import { formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import { RecordLink } from '#platform/routing/record-link.tsx'
import { entryName } from '../labels.ts'

const DETAILS = '/worker/financial/details'

export function EntryLink({ id }: { id: number }) {
  return (
    <RecordLink to={DETAILS} search={{ entry: id }} needs="payroll.details">
      {entryName(id)}
    </RecordLink>
  )
}

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

/** Links to the entries of a pay period. */
export function PeriodLink({ id, from, to, earner }: PeriodLinkProps) {
  const search = { period: id, earner }
  return (
    <RecordLink to={DETAILS} search={search} needs="payroll.details">
      {formatDayRange(from, to)}
    </RecordLink>
  )
}
