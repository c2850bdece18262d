import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Needs, useCan } from '../session/session.tsx'

interface Props {
  to: string
  search?: Record<string, string | number>
  /** The permission that the place asks for. */
  needs: Needs
  className?: string | undefined
  children: ReactNode
}

/** A name that leads to its record, for those who may open its place; plain words for everybody else. */
export function RecordLink({ to, search = {}, needs, className, children }: Props) {
  if (!useCan(needs)) return <span>{children}</span>
  return (
    <Link to={to} search={search as never} preload={false} {...(className ? { className } : {})}>
      {children}
    </Link>
  )
}
