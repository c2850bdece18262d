import type { AnalyticsEvent } from '@limber/contract/analytics/event.ts'
import { CustomerLink } from '#support/public.tsx'
import styles from './dashboard.module.css'

/** Who is behind an event; a customer leads to their overview for those who may see it. */
export function EventUser({ user }: Pick<AnalyticsEvent, 'user'>) {
  if (!user) return <span className={styles.muted}>nobody signed in</span>
  if (user.kind === 'worker') return <span>{user.name}</span>
  return (
    <CustomerLink id={user.id} className={styles.user}>
      {user.name}
    </CustomerLink>
  )
}
