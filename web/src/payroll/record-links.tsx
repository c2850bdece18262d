import { Link } from '@tanstack/react-router'
import { useCan } from '#platform/session.tsx'
import { entryName, spanText } from './words.ts'

/** A payroll entry by its name, which opens it for those who may see it. */
export function EntryLink({ id }: { id: number }) {
  const mayOpen = useCan('payroll.details')
  if (!mayOpen) return entryName(id)
  return (
    <Link to="/worker/financial/details" search={{ entry: String(id) } as never} preload={false}>
      {entryName(id)}
    </Link>
  )
}

/** An earner by name, who opens for those who may see them. */
export function EarnerLink({ id, name }: { id: number; name: string }) {
  const mayOpen = useCan(['payroll.details', 'payroll.audit'])
  if (!mayOpen) return name
  return (
    <Link to="/worker/financial/earners" search={{ earner: String(id) } as never} preload={false}>
      {name}
    </Link>
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
  const mayOpen = useCan('payroll.details')
  const name = spanText(from, to)
  if (!mayOpen) return name
  const search = { period: String(id), ...(earner === undefined ? {} : { earner: String(earner) }) }
  return (
    <Link to="/worker/financial/details" search={search as never} preload={false}>
      {name}
    </Link>
  )
}
