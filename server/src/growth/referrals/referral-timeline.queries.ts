import { sql } from 'kysely'
import { type TimelineSource, timelineSource } from '#platform/timeline.ts'

/** Referred customers who completed a first session. */
export const referralSources: readonly TimelineSource[] = [
  timelineSource<{ id: number; name: string; earnings: string }>({
    ...{ kind: 'referral_converted', group: 'referrals', title: 'Referrals', needs: [['growth.people']] },
    rows: (
      customer,
    ) => sql`select r.converted_at as at, r.id, 'referral paid off ' || c.first_name || ' ' || c.last_name as words,
        jsonb_build_object('id', c.id, 'name', c.first_name || ' ' || c.last_name, 'earnings', r.earnings::text) as data
      from referrals r join customers c on c.id = r.customer_id
      where r.kind = 'user' and r.referrer_id = ${customer} and r.converted_at is not null
        and c.erased_at is null and c.merged_into_id is null`,
    present: ({ id, name, earnings }) => ({
      title: 'Referral paid off:',
      text: `${name} completed a first session`,
      tone: 'teal',
      amount: Number(earnings) > 0 ? earnings : null,
      link: { to: 'customer', id },
    }),
  }),
]
