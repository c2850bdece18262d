import type { TicketFigure } from '@limber/contract/support/report/figure.ts'
import { type RawBuilder, sql } from 'kysely'

/** Two moments as SQL values, the second one not included. */
export interface Span {
  from: RawBuilder<unknown>
  to: RawBuilder<unknown>
}

const inSpan = (column: RawBuilder<unknown>, { from, to }: Span) => sql`${column} >= ${from} and ${column} < ${to}`

const minutes = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) =>
  sql`extract(epoch from ${to} - ${from})::float / 60`

const promised = (span: Span, having: RawBuilder<unknown>) => sql`
  select p.ticket_id, max(p.ended_at) as at, null::float as minutes from ticket_promises p
  where p.outcome in ('kept', 'missed') and ${inSpan(sql`p.ended_at`, span)} group by p.ticket_id having ${having}`

const rated = (span: Span, rating: 'good' | 'bad') => sql`
  select r.ticket_id, r.rated_at as at, null::float as minutes from ticket_ratings r
  where r.rating = ${rating} and ${inSpan(sql`r.rated_at`, span)}`

/** The tickets that a figure counts in a span, as `ticket_id`, `at` and `minutes`. The only definition of each. */
export const figureTickets: Record<TicketFigure, (span: Span) => RawBuilder<unknown>> = {
  opened: (span) => sql`
    select x.ticket_id, x.opened_at as at, null::float as minutes from ticket_times x where ${inSpan(sql`x.opened_at`, span)}`,
  replied: (span) => sql`
    select x.ticket_id, x.first_reply_at as at, ${minutes(sql`x.opened_at`, sql`x.first_reply_at`)} as minutes
    from ticket_times x where ${inSpan(sql`x.first_reply_at`, span)}`,
  closed: (span) => sql`
    select x.ticket_id, x.closed_at as at, ${minutes(sql`x.opened_at`, sql`x.closed_at`)} as minutes
    from ticket_times x where ${inSpan(sql`x.closed_at`, span)}`,
  kept: (span) => promised(span, sql`bool_and(p.outcome = 'kept')`),
  missed: (span) => promised(span, sql`bool_or(p.outcome = 'missed')`),
  good: (span) => rated(span, 'good'),
  bad: (span) => rated(span, 'bad'),
  backlog: (span) => sql`
    select x.ticket_id, x.opened_at as at, null::float as minutes from ticket_times x
    where x.closed_at is null and ${inSpan(sql`x.opened_at`, span)}`,
}
