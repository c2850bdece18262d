import type { FigureName } from '@limber/contract/growth/overview/figure.ts'
import type { ReferralStats } from '@limber/contract/growth/referrals/referral.ts'
import { formatInteger, formatPercent } from '@limber/contract/kit/formats/numbers.ts'
import { FigureLink } from '#ui/figures/figure-link.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { dollars } from '../labels.ts'
import styles from './referrals.module.css'

type Figure = [name: FigureName, label: string, value: string, note?: string]

const share = (part: number, all: number) => (all === 0 ? '--' : `${formatPercent((part / all) * 100, 1)} of users`)

function groupsOf(stats: ReferralStats): { title: string; figures: Figure[] }[] {
  const { referrals_with_bookings: booked, total_users: all } = stats
  const ofUsers = (name: FigureName, label: string, value: number): Figure => [
    name,
    label,
    formatInteger(value),
    share(value, all),
  ]
  return [
    {
      title: 'Where users come from',
      figures: [
        ['users', 'Total Users', formatInteger(all)],
        ofUsers('naturalGrowth', 'Natural Growth', stats.natural_growth),
        ofUsers('stretcherReferrals', 'Stretcher Refs', stats.stretcher_commission),
        ofUsers('workerReferrals', 'Worker Refs', stats.worker_commission),
        ofUsers('userReferrals', 'User Refs', stats.user_commission),
      ],
    },
    {
      title: 'Results of referrals',
      figures: [
        ['pendingReferrals', 'Pending Referrals', formatInteger(stats.pending_referrals), 'no session yet'],
        ['convertedReferrals', 'Converted Referrals', formatInteger(stats.converted_referrals), 'had a session'],
        ['redeemableReferrals', 'Redeemable Referrals', formatInteger(stats.redeemable_referrals), 'reward due'],
        ['referralEarnings', 'Total Earnings', dollars(stats.total_earnings), 'paid by referred users'],
        ['storedEarnings', 'Stored Earnings', dollars(stats.stored_earnings), 'paid in advance'],
      ],
    },
    {
      title: 'Referrers and bookings',
      figures: [
        ['topReferrer', 'Top Referrer', formatInteger(stats.top_referrer_count), 'customers referred'],
        ['topEarner', 'Top Earner', dollars(stats.top_earner_total), 'paid by their customers'],
        ['stretcherReferralBookings', 'Stretcher Referral Bookings', formatInteger(booked.stretcher)],
        ['workerReferralBookings', 'Worker Referral Bookings', formatInteger(booked.worker)],
        ['userReferralBookings', 'User Referral Bookings', formatInteger(booked.user)],
      ],
    },
  ]
}

interface Props {
  stats: ReferralStats
  onOpen: (figure: FigureName) => void
}

/** All numbers of referrals, in three groups. Each opens to its definition and rows. */
export const ReferralFigures = ({ stats, onOpen }: Props) =>
  groupsOf(stats).map(({ title, figures }) => (
    <SectionCard key={title} title={title}>
      <dl className={styles.figures}>
        {figures.map(([name, label, value, note]) => (
          <div key={name} className={styles.figure}>
            <dt>{label}</dt>
            <dd>
              <FigureLink label={label} onOpen={() => onOpen(name)}>
                {value}
              </FigureLink>
              {note && <span className={styles.note}>{note}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </SectionCard>
  ))
