import { sql } from 'kysely'
import { type TimelineSource, timelineSource } from '#platform/timeline.ts'

/** On-site sessions that a customer takes part in. */
export const participantSources: readonly TimelineSource[] = [
  timelineSource<{ id: number; business: string; isCanceled: boolean; stars: number | null }>({
    ...{ kind: 'onsite_session', group: 'bookings', title: 'On-site sessions', needs: [['businesses.manage']] },
    rows: (customer) => sql`select s.starts_at as at, p.id, 'on-site session ' || b.name as words,
        jsonb_build_object('id', s.id, 'business', b.name, 'isCanceled', s.cancelled_at is not null, 'stars', p.rating) as data
      from onsite_participants p join onsite_sessions s on s.id = p.session_id join businesses b on b.id = s.business_id
      where p.customer_id = ${customer}`,
    present: ({ id, business, isCanceled, stars }) => ({
      title: isCanceled ? 'On-site session canceled' : 'On-site session',
      text: `at ${business}`,
      stars,
      link: { to: 'session', id },
    }),
  }),
]
