import type { ReactNode } from 'react'
import { RecordLink } from './record-link.tsx'

interface Props {
  id: number
  className?: string | undefined
  children: ReactNode
}

/** A link to a stretcher, for people who can manage stretchers. */
export function StretcherLink({ id, className, children }: Props) {
  return (
    <RecordLink
      to="/worker/managing/stretchers"
      search={{ stretcher: id }}
      needs="businesses.manage"
      className={className}
    >
      {children}
    </RecordLink>
  )
}
