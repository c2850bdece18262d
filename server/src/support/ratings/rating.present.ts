import type { Rating, TicketRating } from '@limber/contract/support/ratings/rating.ts'
import { sql } from 'kysely'

/** A rating as JSON from the database. */
export interface RatingJson {
  asked_at: string
  rating: Rating | null
  comment: string | null
  rated_at: string | null
}

/** The rating of ticket `t`, if the customer was asked. */
export const ratingJson = sql`(
  select json_build_object('asked_at', r.asked_at, 'rating', r.rating, 'comment', r.comment, 'rated_at', r.rated_at)
  from ticket_ratings r where r.ticket_id = t.id and r.asked_at is not null)`

const MAX_RATED = 1_000

/** How many of their tickets the customer of ticket `t` rated, and how many as good. */
export const satisfactionJson = sql`(
  select json_build_object('good', count(*) filter (where r.rating = 'good'), 'rated', count(*)) from (
    select id from tickets where customer_id = t.customer_id order by created_at desc limit ${sql.lit(MAX_RATED)}) k
  join ticket_ratings r on r.ticket_id = k.id where r.rating is not null)`

export const presentRating = ({ asked_at, rating, comment, rated_at }: RatingJson): TicketRating => ({
  askedAt: new Date(asked_at).toISOString(),
  rating,
  comment,
  ratedAt: rated_at && new Date(rated_at).toISOString(),
})
