import { z } from 'zod'
import { type BodyOf, defineCall, type QueryOf, type ReplyOf, staleRefusal } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Id, IdText, Moment, Text, Version } from '#kit/values.ts'

export const SuggestionSection = z.enum(['faq', 'experience', 'about'])
export type SuggestionSection = z.infer<typeof SuggestionSection>
export const SuggestionPriority = z.enum(['low', 'medium', 'high'])
export type SuggestionPriority = z.infer<typeof SuggestionPriority>
export const SuggestionStatus = z.enum(['pending', 'approved', 'implemented', 'rejected'])
export type SuggestionStatus = z.infer<typeof SuggestionStatus>

export const suggestionStatusLabels = {
  pending: 'Pending',
  approved: 'Approved',
  implemented: 'Implemented',
  rejected: 'Rejected',
} as const

export const Suggestion = z.object({
  id: Id,
  title: z.string(),
  content: z.string(),
  target_section: SuggestionSection,
  target_location: z.string().nullable(),
  priority: SuggestionPriority,
  status: SuggestionStatus,
  createdAt: Moment,
  createdBy: z.string(),
  /** The ticket it came from. */
  ticketId: Id.nullable(),
  /** Where the published text can be found. */
  publishedUrl: z.string().nullable(),
  /** The latest review. */
  review: z.object({ by: z.string(), reason: z.string(), at: Moment }).nullable(),
  version: Version,
})
export type Suggestion = z.infer<typeof Suggestion>

// Web addresses only: a `javascript:` link must not be stored.
const PublishedUrl = z
  .string()
  .max(2_000, 'is too long')
  .regex(/^https?:\/\/[^\s/?#]+\S*$/i, 'must be an address like https://example.com/faq')

const permission = 'kb.suggest' as const
const params = z.strictObject({ id: IdText })
const notFound = [404, 'This suggestion does not exist.'] as const
const stale = staleRefusal('this suggestion', Suggestion)

export const listSuggestions = defineCall({
  method: 'GET',
  path: '/api/support/kb-suggestions',
  summary: 'Suggestions for the knowledge base, searched, sorted and paged',
  permission,
  query: z.strictObject({
    ...pageQuery({ limit: 10 }),
    search: z.string().trim().max(10_000).default(''),
    status: SuggestionStatus.or(z.literal('')).default(''),
    sort: z.enum(['title', 'section', 'priority', 'status', 'created']).default('created'),
    order: z.enum(['asc', 'desc']).default('desc'),
  }),
  reply: z.object({ success: z.literal(true), data: z.array(Suggestion), pagination: Pagination }),
})
export type SuggestionQuery = QueryOf<typeof listSuggestions>

export const exportSuggestions = exportCall(listSuggestions, 'kb-suggestions')

export const readSuggestion = defineCall({
  method: 'GET',
  path: '/api/support/kb-suggestion/:id',
  summary: 'One suggestion with its reviews, newest first, at most 100',
  permission,
  params,
  reply: z.object({
    success: z.literal(true),
    data: Suggestion.extend({
      history: z.array(z.object({ status: SuggestionStatus, reason: z.string(), by: z.string(), at: Moment })),
    }),
  }),
  refusals: { not_found: notFound },
})
export type SuggestionDetail = ReplyOf<typeof readSuggestion>['data']

export const createSuggestion = defineCall({
  method: 'POST',
  path: '/api/support/kb-suggestion',
  summary: 'Create a suggestion for the knowledge base',
  permission,
  body: z.strictObject({
    title: Text(200),
    content: Text(20_000),
    target_section: SuggestionSection,
    target_location: Text(200, 0).nullish(),
    priority: SuggestionPriority,
    ticketId: Id.optional(),
  }),
  reply: z.object({ success: z.literal(true), data: Suggestion }),
  refusals: { no_ticket: [422, 'The source ticket does not exist.'] },
})
export type CreateSuggestion = BodyOf<typeof createSuggestion>

export const reviewSuggestion = defineCall({
  method: 'PUT',
  path: '/api/support/kb-suggestion/:id/review',
  summary: 'Set the status of a suggestion, with a reason',
  permission,
  params,
  body: z.strictObject({
    status: SuggestionStatus,
    reason: Text(2_000, 0),
    /** Omitted: the address stays. Null: it is removed. */
    publishedUrl: PublishedUrl.nullish(),
    version: Version.optional(),
  }),
  reply: z.object({ success: z.literal(true), data: Suggestion }),
  refusals: { not_found: notFound, stale },
})

export const deleteSuggestion = defineCall({
  method: 'DELETE',
  path: '/api/support/kb-suggestion/:id',
  summary: 'Delete a suggestion',
  permission,
  params,
  reply: z.object({ success: z.literal(true), id: Id }),
  refusals: { not_found: notFound },
})
