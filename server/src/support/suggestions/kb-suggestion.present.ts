import type { Suggestion, SuggestionDetail } from '@limber/contract/support/suggestions/kb-suggestion.ts'
import type { findReviews, SuggestionRow } from './kb-suggestion.queries.ts'

export const presentSuggestion = (row: SuggestionRow): Suggestion => ({
  id: row.id,
  title: row.title,
  content: row.content,
  target_section: row.target_section,
  target_location: row.target_location,
  priority: row.priority,
  status: row.status,
  createdAt: row.created_at.toISOString(),
  createdBy: row.created_by,
  ticketId: row.ticket_id,
  publishedUrl: row.published_url,
  review:
    row.reviewed_by && row.reviewed_at
      ? { by: row.reviewed_by, reason: row.review_reason ?? '', at: row.reviewed_at.toISOString() }
      : null,
  version: row.version,
})

type ReviewRow = Awaited<ReturnType<typeof findReviews>>[number]

export const presentSuggestionDetail = (row: SuggestionRow, reviews: readonly ReviewRow[]): SuggestionDetail => ({
  ...presentSuggestion(row),
  history: reviews.map(({ reviewed_at, ...review }) => ({ ...review, at: reviewed_at.toISOString() })),
})
