import { paginate } from '@limber/contract/kit/page.ts'
import {
  createSuggestion,
  deleteSuggestion,
  listSuggestions,
  readSuggestion,
  reviewSuggestion,
} from '@limber/contract/support/suggestions/kb-suggestion.ts'
import type { Db } from '#platform/db/db.ts'
import { containing } from '#platform/db/like.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { presentSuggestion, presentSuggestionDetail } from './kb-suggestion.present.ts'
import {
  findReviews,
  findSuggestion,
  findSuggestions,
  hasTicket,
  insertSuggestion,
  lockSuggestion,
  removeSuggestion,
  saveReview,
} from './kb-suggestion.queries.ts'

async function show(db: Db, id: number) {
  const row = await findSuggestion(db, id)
  if (!row) throw refuse(reviewSuggestion, 'not_found')
  return presentSuggestion(row)
}

const about = (id: number) => ({ subject: 'kb_suggestion' as const, subjectId: id })

export const suggestionRoutes = [
  serve(listSuggestions, async ({ query: { page, limit, search, ...query }, db }) => {
    const pattern = search === '' ? undefined : containing(search)
    const { total, rows } = await findSuggestions(db, { ...query, pattern, limit, offset: (page - 1) * limit })
    return { success: true as const, data: rows.map(presentSuggestion), pagination: paginate(page, limit, total) }
  }),

  serve(readSuggestion, async ({ params: { id }, db }) => {
    const row = await findSuggestion(db, id)
    if (!row) throw refuse(readSuggestion, 'not_found')
    return { success: true as const, data: presentSuggestionDetail(row, await findReviews(db, id)) }
  }),

  serve(createSuggestion, async ({ body, db, now, worker, audit, publish }) => {
    if (body.ticketId && !(await hasTicket(db, body.ticketId))) throw refuse(createSuggestion, 'no_ticket')
    const { id } = await insertSuggestion(db, body, worker.workerId, now)
    audit({ action: 'suggestion_created', ...about(id), after: { title: body.title } })
    publish('suggestions', { suggestion: id })
    return { success: true as const, data: await show(db, id) }
  }).expecting({ kb_suggestions_ticket_id_fkey: 'no_ticket' }),

  serve(reviewSuggestion, async ({ params: { id }, body, db, now, worker, audit, publish }) => {
    const before = await loadForUpdate(reviewSuggestion, lockSuggestion(db, id), body.version, () => show(db, id))
    await saveReview(db, id, body, worker.workerId, now)
    const change = { before: { status: before.status }, after: { status: body.status } }
    audit({ action: 'suggestion_reviewed', ...about(id), ...change, reason: body.reason })
    publish('suggestions', { suggestion: id })
    return { success: true as const, data: await show(db, id) }
  }),

  serve(deleteSuggestion, async ({ params: { id }, db, audit, publish }) => {
    const before = await lockSuggestion(db, id)
    if (!before) throw refuse(deleteSuggestion, 'not_found')
    await removeSuggestion(db, id)
    audit({ action: 'suggestion_deleted', ...about(id), before: { title: before.title, status: before.status } })
    publish('suggestions', { suggestion: id })
    return { success: true as const, id }
  }),
]
