import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Needs, useCan } from '../session/session.tsx'
import { linkTo, type Path, type SearchOf } from './links.ts'

interface Props<P extends Path> {
  to: P
  search?: SearchOf<P>
  /** The permission that the screen requires. */
  needs: Needs
  className?: string | undefined
  children: ReactNode
}

/** A link to a record for people who can open it; plain text for everyone else. */
export function RecordLink<P extends Path>({ to, search, needs, className, children }: Props<P>) {
  if (!useCan(needs)) return <span>{children}</span>
  return (
    <Link {...linkTo(to, search)} preload={false} {...(className ? { className } : {})}>
      {children}
    </Link>
  )
}
