import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Needs, useCan } from '../session/session.tsx'
import { linkTo, type Path, type SearchOf } from './links.ts'

interface Props<P extends Path> {
  to: P
  search?: SearchOf<P>
  /** The permission that the place asks for. */
  needs: Needs
  className?: string | undefined
  children: ReactNode
}

/** A name that leads to its record, for those who may open its place; plain words for everybody else. */
export function RecordLink<P extends Path>({ to, search, needs, className, children }: Props<P>) {
  if (!useCan(needs)) return <span>{children}</span>
  return (
    <Link {...linkTo(to, search)} preload={false} {...(className ? { className } : {})}>
      {children}
    </Link>
  )
}
