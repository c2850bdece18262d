import type { AnalyticsEvent } from '@limber/contract/analytics/events/event.ts'
import { WorkerLink } from '#access/public.tsx'
import { CustomerLink } from '#support/public.tsx'
import styles from '../dashboard/dashboard.module.css'

/** Links the customer or worker of an event. */
export function EventUser({ user }: Pick<AnalyticsEvent, 'user'>) {
  if (!user) return <span className={styles.muted}>not signed in</span>
  if (user.kind === 'worker') return <WorkerLink id={user.id}>{user.name}</WorkerLink>
  return <CustomerLink id={user.id}>{user.name}</CustomerLink>
}
