import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { linkTo } from '#platform/routing/links.ts'
import { useSession } from '#platform/session/session.tsx'
import { customersPath } from './customers-path.ts'
import type { UserTab } from './user-search.ts'

interface Props {
  id: number
  /** The tab that opens. */
  tab?: UserTab
  className?: string | undefined
  children: ReactNode
}

/** A link to a customer, or plain text without permission to see customers. */
export function CustomerLink({ id, tab, className, children }: Props) {
  const place = customersPath(useSession())
  if (!place) return <span>{children}</span>
  return (
    <Link {...linkTo(place, { user: id, tab })} preload={false} {...(className ? { className } : {})}>
      {children}
    </Link>
  )
}
