import {
  type Referral,
  type ReferralDecision,
  reviewReferral,
  suspicions,
} from '@limber/contract/growth/referrals/referral.ts'
import { formatInteger, formatList } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import { IconUserExclamation } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { messageOf, send } from '#platform/api/api.ts'
import { CustomerLink } from '#support/public.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { type WorkItem, WorkList } from '#ui/feedback/work-list.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { dollars } from '../labels.ts'
import { decisionLabels, reasonLabels } from './labels.ts'
import { peopleQuery, referralsKey } from './referral.api.ts'
import styles from './referrals.module.css'

const LISTED = 50

/** The reason that is recorded for a decision without one of its own. */
export const quickReason = ({ reasons }: Pick<Referral, 'reasons'>) =>
  `Decided from the list, held for: ${formatList(reasons.map((reason) => reasonLabels[reason].toLowerCase()))}.`

const earned = ({ state, earnings }: Referral) =>
  state === 'converted' ? `Converted, ${dollars(earnings)} paid so far.` : 'No session yet.'

interface Props {
  /** How many wait in total; undefined until the figures have loaded. */
  total: number | undefined
  onOpen: (userId: number) => void
}

/** Referrals that earn no reward until someone decides: why they are held, and the decision. */
export function HeldReferrals({ total, onOpen }: Props) {
  const cache = useQueryClient()
  const query = useQuery(peopleQuery({ review: 'open', limit: String(LISTED) }))
  const review = useMutation({
    mutationFn: ({ referral, decision }: { referral: Referral; decision: ReferralDecision }) =>
      send(reviewReferral, {
        params: { id: String(referral.userId) },
        body: { decision, reason: quickReason(referral), seenReview: referral.review?.id ?? null },
      }),
    onSettled: () => cache.invalidateQueries({ queryKey: referralsKey }),
  })
  const decide = (referral: Referral, decision: ReferralDecision) =>
    void review.mutateAsync({ referral, decision }).then(
      () =>
        toast(`${decisionLabels[decision]}: ${referral.name}`, {
          duration: 10_000,
          action: { label: 'Change', run: () => onOpen(referral.userId) },
        }),
      (error: unknown) => toastFailure(messageOf(error), error),
    )
  const decided = review.isPending ? review.variables : undefined
  const button = (referral: Referral, decision: ReferralDecision, verb: string) => (
    <Button
      size="xs"
      variant="default"
      aria-label={`${verb} the referral of ${referral.name}`}
      loading={decided?.referral.userId === referral.userId && decided.decision === decision}
      disabled={review.isPending}
      onClick={() => decide(referral, decision)}
    >
      {verb}
    </Button>
  )
  const item = (referral: Referral): WorkItem => ({
    id: referral.userId,
    icon: IconUserExclamation,
    meaning: 'amber',
    title: (
      <>
        <CustomerLink id={referral.userId}>{referral.name}</CustomerLink>, referred by {referral.referrer.name}
      </>
    ),
    why: (
      <>
        {referral.reasons.map((reason) => (
          <span key={reason} className={styles.reason}>
            <b>{reasonLabels[reason]}.</b> {suspicions[reason]}
          </span>
        ))}
        <span className={styles.reason}>
          Joined <Moment at={referral.joinedAt} form="day" />. {earned(referral)}
        </span>
      </>
    ),
    actions: (
      <>
        <Button
          size="xs"
          variant="subtle"
          aria-label={`Details of ${referral.name}`}
          onClick={() => onOpen(referral.userId)}
        >
          Details
        </Button>
        {button(referral, 'rejected', 'Reject')}
        {button(referral, 'approved', 'Approve')}
      </>
    ),
  })
  return (
    <SectionCard title="Held for review" isFlush {...(total ? { count: formatInteger(total) } : {})}>
      <QueryView
        query={query}
        failure="Couldn't load the referrals to review"
        isEmpty={({ referrals }) => referrals.length === 0}
        empty={<p className={styles.calm}>No referral is held. Suspicious ones wait here before they earn a reward.</p>}
      >
        {({ referrals }) => <WorkList label="Referrals held for review" items={referrals.map(item)} limit={4} />}
      </QueryView>
    </SectionCard>
  )
}
