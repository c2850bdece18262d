import type {
  CreateSuggestion,
  Suggestion,
  SuggestionQuery,
  SuggestionStatus,
} from '@limber/contract/support/suggestions/kb-suggestion.ts'
import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'

export interface SuggestionRow
  extends Pick<
    Suggestion,
    'id' | 'title' | 'content' | 'target_section' | 'target_location' | 'priority' | 'status' | 'version'
  > {
  created_at: Date
  created_by: string
  ticket_id: number | null
  reviewed_by: string | null
  reviewed_at: Date | null
  review_reason: string | null
  published_url: string | null
}

const columns = sql`s.id, s.title, s.content, s.target_section, s.target_location, s.priority, s.status, s.version, s.created_at,
  s.ticket_id, s.reviewed_at, s.review_reason, s.published_url, c.name as created_by, r.name as reviewed_by`
const joins = sql`join workers c on c.id = s.created_by left join workers r on r.id = s.reviewed_by`

// Enum values sort by meaning, not alphabetically.
const sorts = {
  title: sql`lower(title)`,
  section: sql`target_section`,
  priority: sql`array_position(array['low', 'medium', 'high'], priority)`,
  status: sql`array_position(array['pending', 'approved', 'implemented', 'rejected'], status)`,
  created: sql`created_at`,
}

interface Page extends Pick<SuggestionQuery, 'sort' | 'order' | 'status' | 'limit'> {
  pattern: string | undefined
  offset: number
}

/** One page and the number of matches in one statement; matches are materialized before sorting. */
export async function findSuggestions(db: Db, { pattern, status, sort, order, limit, offset }: Page) {
  const by = order === 'asc' ? sql`asc` : sql`desc`
  const { rows } = await sql<{ total: number; id: number | null } & SuggestionRow>`
    with matches as materialized (
      select id, ${sorts[sort]} as mark from kb_suggestions
      where ${pattern === undefined ? sql`true` : sql`search_text like lower(${pattern})`}
        and ${status === '' ? sql`true` : sql`status = ${status}`}),
    page as (select id, row_number() over (order by mark ${by}, id ${by}) as place from matches order by place limit ${limit} offset ${offset})
    select t.total, ${columns}
    from (select count(*)::int as total from matches) t
    left join (page join kb_suggestions s on s.id = page.id ${joins}) on true
    order by page.place`.execute(db)
  return { total: rows[0]?.total ?? 0, rows: rows.filter((row) => row.id !== null) }
}

export async function findSuggestion(db: Db, id: number): Promise<SuggestionRow | undefined> {
  const { rows } =
    await sql<SuggestionRow>`select ${columns} from kb_suggestions s ${joins} where s.id = ${id}`.execute(db)
  return rows[0]
}

const MAX_REVIEWS = 100

export const findReviews = (db: Db, id: number) =>
  db
    .selectFrom('kb_suggestion_reviews as v')
    .innerJoin('workers as w', 'w.id', 'v.reviewed_by')
    .select(['v.status', 'v.reason', 'w.name as by', 'v.reviewed_at'])
    .where('v.suggestion_id', '=', id)
    .orderBy('v.id', 'desc')
    .limit(MAX_REVIEWS)
    .execute()

export const lockSuggestion = (db: Db, id: number) =>
  db
    .selectFrom('kb_suggestions')
    .select(['id', 'title', 'status', 'version'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const hasTicket = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('tickets').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

export const insertSuggestion = (
  db: Db,
  { ticketId, target_location, ...draft }: CreateSuggestion,
  workerId: number,
  now: Date,
) =>
  db
    .insertInto('kb_suggestions')
    .values({
      ...draft,
      target_location: target_location || null,
      ticket_id: ticketId ?? null,
      created_by: workerId,
      created_at: now,
      reviewed_by: null,
      reviewed_at: null,
      review_reason: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()

interface Review {
  status: SuggestionStatus
  reason: string
  publishedUrl?: string | null | undefined
}

/** Sets the status and adds the review to the history. */
export async function saveReview(db: Db, id: number, review: Review, workerId: number, now: Date) {
  const { status, reason, publishedUrl } = review
  await db
    .updateTable('kb_suggestions')
    .set({
      status,
      review_reason: reason,
      reviewed_by: workerId,
      reviewed_at: now,
      version: sql`version + 1`,
      ...(publishedUrl === undefined ? {} : { published_url: publishedUrl }),
    })
    .where('id', '=', id)
    .execute()
  await db
    .insertInto('kb_suggestion_reviews')
    .values({ suggestion_id: id, status, reason, reviewed_by: workerId, reviewed_at: now })
    .execute()
}

export const removeSuggestion = (db: Db, id: number) => db.deleteFrom('kb_suggestions').where('id', '=', id).execute()
