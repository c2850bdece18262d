import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { placeAt } from '#platform/routing/places.ts'
import { useSession } from '#platform/session/session.tsx'
import { placeOfUsers } from './customers/place.ts'
import type { UserTab } from './customers/user-search.ts'

interface Props {
  id: number
  /** The part of their record that opens. */
  tab?: UserTab
  className?: string | undefined
  children: ReactNode
}

/** Leads to a customer, for those who may see customers; plain words for everybody else. */
export function CustomerLink({ id, tab, className, children }: Props) {
  const place = placeOfUsers(useSession())
  if (!place) return <span>{children}</span>
  return (
    <Link {...placeAt(place, { user: id, tab })} preload={false} {...(className ? { className } : {})}>
      {children}
    </Link>
  )
}
