import {
  type ReferralDetail,
  type ReviewReferral,
  reviewReferral,
  suspicions,
} from '@limber/contract/growth/referrals/referral.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { WorkerLink } from '#access/public.tsx'
import { CustomerLink } from '#support/public.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { AreaField, ChoiceField } from '#ui/form/fields.tsx'
import { Form } from '#ui/form/form.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { dollars } from '../labels.ts'
import { decisionLabels, eventLabels, kindLabels, reasonLabels } from './labels.ts'
import { referralQuery, useReview } from './referral.api.ts'
import styles from './referrals.module.css'

const decisions = [
  { value: 'approved', label: 'Approve: the reward can be paid' },
  { value: 'rejected', label: 'Reject: no reward' },
]

/** A decision that another worker made while this one was being written. */
function NewerDecision({ review }: Pick<ReferralDetail, 'review'>) {
  const [base] = useState(review)
  if (!review || review.id === base?.id) return null
  return (
    <Banner kind="amber">
      {review.by ?? 'Someone'} has decided since: {decisionLabels[review.decision]}. Your decision is recorded after it.
    </Banner>
  )
}

function Review({ referral }: { referral: ReferralDetail }) {
  const review = useReview(referral.userId)
  const [round, setRound] = useState(0)
  const seenReview = referral.review?.id ?? null
  // Forms leave out empty fields, but null must be sent: it says that no decision was seen.
  const mutation = { mutateAsync: (body: ReviewReferral) => review.mutateAsync({ ...body, seenReview }) }
  return (
    <>
      <h3 className={styles.part}>Review</h3>
      <ul className={styles.why}>
        {referral.reasons.map((reason) => (
          <li key={reason}>
            <b>{reasonLabels[reason]}.</b> {suspicions[reason]}
          </li>
        ))}
      </ul>
      <Form
        key={round}
        schema={reviewReferral.body}
        mutation={mutation}
        initial={{ decision: 'approved' }}
        submit="Save decision"
        isGuarded
        record="referral"
        onDone={() => {
          toast('Decision saved.')
          setRound(round + 1)
        }}
      >
        <NewerDecision review={referral.review} />
        <ChoiceField label="Decision" name="decision" options={decisions} />
        <AreaField label="Reason" name="reason" rows={2} placeholder="What did you find out?" />
      </Form>
    </>
  )
}

function Referrer({ referrer: { id, userId, name } }: Pick<ReferralDetail, 'referrer'>) {
  if (userId === null) return <WorkerLink id={id}>{name}</WorkerLink>
  return <CustomerLink id={userId}>{name}</CustomerLink>
}

function Content({ referral }: { referral: ReferralDetail }) {
  const { review, reasons } = referral
  return (
    <>
      <Facts>
        <Facts.Row label="Customer">
          <CustomerLink id={referral.userId}>{referral.name}</CustomerLink>
        </Facts.Row>
        <Facts.Row label="Email">{referral.email}</Facts.Row>
        <Facts.Row label="Referred by">
          <Referrer referrer={referral.referrer} />, {kindLabels[referral.kind].toLowerCase()}
        </Facts.Row>
        <Facts.Row label="Status">{referral.state === 'converted' ? 'Converted' : 'Pending'}</Facts.Row>
        <Facts.Row label="Earnings">{dollars(referral.earnings)}</Facts.Row>
        {review && (
          <Facts.Row label="Decision">
            <StatusBadge meaning={review.decision === 'approved' ? 'green' : 'red'}>
              {decisionLabels[review.decision]}
            </StatusBadge>{' '}
            {review.by ?? 'Former worker'}
          </Facts.Row>
        )}
      </Facts>
      {(reasons.length > 0 || review) && <Review referral={referral} />}
      <h3 className={styles.part}>Events</h3>
      <ul className={styles.events}>
        {referral.events.map((event) => (
          <li key={`${event.kind}-${event.at}-${event.amount}`}>
            <Moment at={event.at} />
            <span>
              {eventLabels[event.kind]}
              {event.amount !== null && ` ${dollars(event.amount)}`}
              {event.by && `, ${event.by}`}
            </span>
            {event.note && <p>{event.note}</p>}
          </li>
        ))}
      </ul>
    </>
  )
}

/** One referral: who referred whom, the events since, and the decision when it is suspicious. */
export default function ReferralDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery(referralQuery(id))
  return (
    <Dialog isOpen isSide onClose={onClose} title={query.data?.name ?? 'Referral'} size={520}>
      <QueryView query={query}>{(referral) => <Content referral={referral} />}</QueryView>
    </Dialog>
  )
}
