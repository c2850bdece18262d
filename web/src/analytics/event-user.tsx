import type { AnalyticsEvent } from '@limber/contract/analytics/event.ts'
import { Link } from '@tanstack/react-router'
import { useCan } from '#platform/session.tsx'
import styles from './dashboard.module.css'

/** Who is behind an event; a customer leads to their overview for those who may see it. */
export function EventUser({ user }: Pick<AnalyticsEvent, 'user'>) {
  const maySee = useCan(['users.overview', 'users.directory'])
  if (!user) return <span className={styles.muted}>nobody signed in</span>
  if (user.kind === 'worker') return <span>{user.name}</span>
  if (!maySee) return <span>{user.name}</span>
  return (
    <Link to={`/support/users/${user.id}`} className={styles.user ?? ''} preload={false}>
      {user.name}
    </Link>
  )
}
