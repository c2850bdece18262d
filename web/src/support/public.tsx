import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '#platform/session.tsx'
import { placeOfUsers } from './users/place.ts'

interface Props {
  id: number
  className?: string | undefined
  children: ReactNode
}

/** Leads to a customer, for those who may see customers; plain words for everybody else. */
export function CustomerLink({ id, className, children }: Props) {
  const place = placeOfUsers(useSession())
  if (!place) return <span>{children}</span>
  return (
    <Link to={place} search={{ user: id } as never} preload={false} {...(className ? { className } : {})}>
      {children}
    </Link>
  )
}
