import type { ReferralDecision, ReferrerKind, Suspicion } from '@limber/contract/growth/referrals/referral.ts'
import { type RawBuilder, sql } from 'kysely'
import { countUpTo } from '#platform/db/count-up-to.ts'
import type { Db, Row } from '#platform/db/db.ts'

export const findReferralFigures = (db: Db) => db.selectFrom('referral_figures').selectAll().executeTakeFirst()

export interface ReferralRecord extends Omit<Row<'referrals'>, 'reasons'> {
  name: string
  email: string
  referrer_name: string
  referrer_account: number | null
  reasons: Suspicion[]
  review_id: number | null
  decision: ReferralDecision | null
  review_reason: string | null
  reviewer: string | null
  reviewed_at: Date | null
}

const columns = sql`r.customer_id, c.first_name || ' ' || c.last_name as name, c.email, r.joined_at, r.kind, r.referrer_id,
  coalesce(a.first_name || ' ' || a.last_name, s.first_name || ' ' || s.last_name, w.name) as referrer_name,
  coalesce(a.id, s.customer_id) as referrer_account, r.booked_at, r.converted_at, r.earnings, r.reasons, v.id as review_id,
  v.decision, v.reason as review_reason, n.name as reviewer, v.created_at as reviewed_at`
const joins = sql`join customers c on c.id = r.customer_id
  left join customers a on r.kind = 'user' and a.id = r.referrer_id
  left join stretchers s on r.kind = 'stretcher' and s.id = r.referrer_id
  left join workers w on r.kind = 'worker' and w.id = r.referrer_id
  left join lateral (select * from referral_reviews where customer_id = r.customer_id order by id desc limit 1) v on true
  left join workers n on n.id = v.worker_id`

export interface ReferralFilter {
  /** A LIKE pattern; undefined matches all. */
  pattern: string | undefined
  kind: ReferrerKind | ''
  state: 'pending' | 'converted' | ''
  review: 'open' | ReferralDecision | ''
}

const newestDecision = sql`(select decision from referral_reviews v where v.customer_id = r.customer_id order by v.id desc limit 1)`

function conditions({ pattern, kind, state, review }: ReferralFilter): RawBuilder<unknown> {
  const decided =
    review === 'open' ? sql`r.reasons <> '{}' and ${newestDecision} is null` : sql`${newestDecision} = ${review}`
  return sql.join(
    [
      sql`true`,
      ...(pattern === undefined
        ? []
        : [sql`r.customer_id in (select id from customers where search_text like lower(${pattern}))`]),
      ...(kind === '' ? [] : [sql`r.kind = ${kind}`]),
      ...(state === '' ? [] : [state === 'pending' ? sql`r.converted_at is null` : sql`r.converted_at is not null`]),
      // Start from the decisions, which are few, instead of checking every referral.
      ...(review === '' || review === 'open'
        ? []
        : [sql`r.customer_id in (select customer_id from referral_reviews where decision = ${review})`]),
      ...(review === '' ? [] : [decided]),
    ],
    sql` and `,
  )
}

/** One page, newest first, with the number of matches up to 10,001. */
export async function findReferrals(db: Db, filter: ReferralFilter, page: { limit: number; offset: number }) {
  const where = conditions(filter)
  const { rows } = await sql<{ total: number } & (ReferralRecord | { customer_id: null })>`
    select t.total, p.* from (select ${countUpTo(sql`select from referrals r where ${where}`)} as total) t
    left join (select ${columns} from (
        select * from referrals r where ${where} order by r.joined_at desc, r.customer_id desc
        limit ${page.limit} offset ${page.offset}) r ${joins}) p on true
    order by p.joined_at desc, p.customer_id desc`.execute(db)
  return {
    total: rows[0]?.total ?? 0,
    rows: rows.filter((row): row is { total: number } & ReferralRecord => row.customer_id !== null),
  }
}

/** A row with its sort time in full precision. A JavaScript date has milliseconds only. */
type KeyedReferral = ReferralRecord & { key: string }

/** The next referrals after a row, newest first. */
export async function findReferralsAfter(
  db: Db,
  filter: ReferralFilter,
  last: KeyedReferral | undefined,
  limit: number,
) {
  const rest = last ? sql`and (r.joined_at, r.customer_id) < (${last.key}::timestamptz, ${last.customer_id})` : sql``
  const { rows } = await sql<KeyedReferral>`
    select ${columns}, r.joined_at::text as key
    from (select * from referrals r where ${conditions(filter)} ${rest}
      order by r.joined_at desc, r.customer_id desc limit ${limit}) r ${joins}
    order by r.joined_at desc, r.customer_id desc`.execute(db)
  return rows
}

export async function findReferral(db: Db, customerId: number): Promise<ReferralRecord | undefined> {
  const { rows } = await sql<ReferralRecord>`
    select ${columns} from referrals r ${joins} where r.customer_id = ${customerId}`.execute(db)
  return rows[0]
}

/** Serializes decisions about one referral. */
export const lockReferral = (db: Db, customerId: number) =>
  sql`select from referrals where customer_id = ${customerId} for no key update`.execute(db)

export interface EventRecord {
  at: Date
  kind: 'joined' | 'booked' | 'converted' | 'paid' | 'refunded' | 'rewarded' | ReferralDecision
  amount: string | null
  worker: string | null
  note: string | null
}

const MAX_PAYMENTS = 50

/** Events since the referral, newest first. Includes all credits of the referrer, because credits do not name the friend. */
export async function findEvents(db: Db, row: ReferralRecord): Promise<EventRecord[]> {
  const { rows } = await sql<EventRecord>`
    select joined_at as at, 'joined' as kind, null::numeric as amount, null as worker, null as note from referrals where customer_id = ${row.customer_id}
    union all
    select booked_at, 'booked', null, null, null from referrals where customer_id = ${row.customer_id} and booked_at is not null
    union all
    select converted_at, 'converted', null, null, null from referrals where customer_id = ${row.customer_id} and converted_at is not null
    union all
    (select created_at, case when amount < 0 then 'refunded' else 'paid' end, amount, null, null from customer_transactions
      where customer_id = ${row.customer_id} and status = 'completed' order by created_at desc limit ${MAX_PAYMENTS})
    union all
    (select created_at, 'rewarded', null, null, reason from credit_entries
      where ${row.kind} = 'user' and customer_id = ${row.referrer_id} and kind = 'referral' and created_at >= ${row.joined_at}
      order by created_at desc limit ${MAX_PAYMENTS})
    union all
    select v.created_at, v.decision, null, w.name, v.reason from referral_reviews v left join workers w on w.id = v.worker_id
      where v.customer_id = ${row.customer_id}
    order by 1 desc`.execute(db)
  return rows
}

export const insertReview = (
  db: Db,
  review: { customer_id: number; decision: ReferralDecision; reason: string; worker_id: number; created_at: Date },
) => db.insertInto('referral_reviews').values(review).execute()

/** Updates the stored count of open reviews at once, before the next refresh. */
export const decrementToReview = (db: Db) =>
  sql`update referral_figures set to_review = greatest(to_review - 1, 0)`.execute(db)
