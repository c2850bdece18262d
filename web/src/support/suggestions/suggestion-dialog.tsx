import { type SuggestionDetail, suggestionStatusLabels } from '@limber/contract/support/suggestions/kb-suggestion.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { StatusBadge, StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { TicketLink } from '../ticket-link.tsx'
import { priorityLabels } from '../tickets/priority-labels.ts'
import { sectionLabels, statusMeaning } from './labels.ts'
import { ReviewDialog } from './review-dialog.tsx'
import { suggestionQuery } from './suggestion.api.ts'
import styles from './suggestions.module.css'

function History({ history }: Pick<SuggestionDetail, 'history'>) {
  return (
    <section aria-label="Status history">
      <h3 className={styles.heading}>Status history</h3>
      {history.length === 0 && <p className={styles.meta}>No reviews yet.</p>}
      <ul className={styles.history}>
        {history.map(({ status, reason, by, at }) => (
          <li key={at} className={styles.review}>
            <span className={styles.line}>
              <StatusDot meaning={statusMeaning[status]}>{suggestionStatusLabels[status]}</StatusDot>
              <span className={styles.meta}>
                {by}, <Moment at={at} />
              </span>
            </span>
            {reason && <span className={styles.content}>{reason}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function View({ suggestion }: { suggestion: SuggestionDetail }) {
  const { status, target_section, target_location, priority, createdBy, createdAt, ticketId, publishedUrl } = suggestion
  return (
    <div className={styles.view}>
      <p className={styles.content}>{suggestion.content}</p>
      <Facts>
        <Facts.Row label="Status">
          <StatusBadge meaning={statusMeaning[status]}>{suggestionStatusLabels[status]}</StatusBadge>
        </Facts.Row>
        <Facts.Row label="Section">{sectionLabels[target_section]}</Facts.Row>
        {target_location && <Facts.Row label="Location">{target_location}</Facts.Row>}
        <Facts.Row label="Priority">{priorityLabels[priority]}</Facts.Row>
        <Facts.Row label="Suggested">
          <span>
            by {createdBy}, <Moment at={createdAt} />
          </span>
        </Facts.Row>
        {ticketId !== null && (
          <Facts.Row label="From">
            <TicketLink id={ticketId}>Ticket #{ticketId}</TicketLink>
          </Facts.Row>
        )}
        {publishedUrl ? (
          <Facts.Row label="Published page">
            <a href={publishedUrl} target="_blank" rel="noreferrer">
              {publishedUrl}
            </a>
          </Facts.Row>
        ) : (
          status === 'implemented' && (
            <Facts.Row label="Published page">Not linked yet. Add the link in Review.</Facts.Row>
          )
        )}
      </Facts>
      <History history={suggestion.history} />
    </div>
  )
}

interface Props {
  id: number
  isReviewing: boolean
  onReview: () => void
  onClose: () => void
}

/** One suggestion, to view or to review. */
export default function SuggestionDialog({ id, isReviewing, onReview, onClose }: Props) {
  const query = useQuery(suggestionQuery(id))
  if (isReviewing && query.data) return <ReviewDialog suggestion={query.data} onClose={onClose} />
  const foot = query.data && (
    <>
      <Button variant="default" onClick={onClose}>
        Close
      </Button>
      <Button onClick={onReview}>Review</Button>
    </>
  )
  return (
    <Dialog isOpen onClose={onClose} title={query.data?.title ?? 'Suggestion'} size={640} foot={foot}>
      <QueryView query={query} failure="Failed to load suggestions" loading={<TextSkeleton lines={6} />}>
        {(suggestion) => <View suggestion={suggestion} />}
      </QueryView>
    </Dialog>
  )
}
