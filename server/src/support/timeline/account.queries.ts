import { labelsOf } from '@limber/contract/kit/fields.ts'
import { formatTimeRange } from '@limber/contract/kit/formats/dates.ts'
import { formatList, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { contactFields } from '@limber/contract/support/customers/account.ts'
import { sql } from 'kysely'
import { ACCOUNTS, type TimelineSource, type TimelineWords, timelineSource } from '#platform/timeline.ts'

const needs = [ACCOUNTS]
const stretcherOf = sql`coalesce((select st.first_name || ' ' || st.last_name from stretchers st where st.id = b.stretcher_id), '')`
const withName = (name: string) => (name === '' ? '' : `with ${name}`)

interface Booking {
  status: string
  ends: string
  stretcher: string
  zone: string
  credits: number
  reason: string | null
}

const bookingTitles: Readonly<Record<string, TimelineWords>> = {
  requested: { title: 'Session requested', tone: 'amber' },
  confirmed: { title: 'Session' },
  in_progress: { title: 'Session in progress' },
  completed: { title: 'Session completed', tone: 'green' },
  no_show: { title: 'No-show', tone: 'red' },
}

const bookingData = sql`jsonb_build_object('status', b.status, 'ends', b.ends_at, 'stretcher', ${stretcherOf}, 'credits', b.credits_used,
  'zone', (select z.name from zones z where z.id = b.zone_id), 'reason', b.cancel_reason)`
const bookingWords = sql`'session booking ' || replace(b.status, '_', ' ') || ' ' || ${stretcherOf} || ' ' || coalesce(b.cancel_reason, '')`

const aboutSession = ({ stretcher, ends, zone }: Booking, at: Date) =>
  [withName(stretcher), formatTimeRange(at, new Date(ends)), zone].filter(Boolean).join(', ')

interface Account {
  by: string | null
}

interface Credit {
  delta: number
  kind: string
  reason: string | null
  by: string | null
  after: number
}

const creditTitles: Readonly<Record<string, string>> = {
  purchase: 'bought',
  use: 'used',
  refund: 'returned',
  referral: 'earned by a referral',
  grant: 'granted',
  removal: 'removed',
}

interface Change {
  action: string
  by: string | null
  reason: string | null
  changed: string[] | null
}

const labels: Readonly<Record<string, string>> = labelsOf(contactFields)
const actionTexts: Readonly<Record<string, string>> = {
  customer_blocked: 'blocked the account',
  customer_unblocked: 'unblocked the account',
  verification_sent: 'sent the verification email again',
  customers_merged: 'merged a duplicate into this account',
  customer_exported: "exported the customer's data",
  customer_erased: 'erased the customer',
}

/** What a worker did to the account, as the rest of a sentence. */
export function changeText({ action, changed }: Pick<Change, 'action' | 'changed'>): string {
  if (action === 'contact_corrected' && changed && changed.length > 0)
    return `changed the ${formatList(changed.map((name) => (labels[name] ?? name).toLowerCase()))}`
  if (action === 'contact_corrected') return 'corrected the contact details'
  return actionTexts[action] ?? action.replaceAll('_', ' ')
}

const milestone = (kind: string, column: string, words: TimelineWords): TimelineSource =>
  timelineSource<Account>({
    ...{ kind, group: 'account', title: 'Account', needs },
    rows: (id) =>
      sql`select c.${sql.ref(column)} as at, c.id, ${words.title} as words, '{}'::jsonb as data from customers c where c.id = ${id}`,
    present: () => words,
  })

/** Sessions, payments, credits, rewards, notes and the account itself. */
export const accountSources: readonly TimelineSource[] = [
  timelineSource<Booking>({
    ...{ kind: 'session', group: 'bookings', title: 'Bookings', needs },
    rows: (id) => sql`select b.starts_at as at, b.id, ${bookingWords} as words, ${bookingData} as data
      from bookings b where b.customer_id = ${id} and b.status <> 'cancelled'`,
    present: (data, at) => ({
      ...(bookingTitles[data.status] ?? { title: 'Session' }),
      text: aboutSession(data, at),
      quote: data.credits > 0 ? pluralize(data.credits, 'credit') : null,
    }),
  }),
  timelineSource<Booking>({
    ...{ kind: 'session_canceled', group: 'bookings', title: 'Bookings', needs },
    rows: (id) => sql`select b.cancelled_at as at, b.id, ${bookingWords} as words,
        ${bookingData} || jsonb_build_object('starts', b.starts_at) as data
      from bookings b where b.customer_id = ${id} and b.cancelled_at is not null`,
    present: ({ stretcher, reason }) => ({
      title: 'Session canceled',
      text: withName(stretcher),
      quote: reason,
    }),
  }),
  timelineSource<{ stretcher: string; stars: number | null; feedback: string | null; attributes: string[] }>({
    ...{ kind: 'rating', group: 'bookings', title: 'Bookings', needs },
    rows: (id) => sql`select coalesce(b.rated_at, b.feedback_at) as at, b.id,
        'rated rating ' || ${stretcherOf} || ' ' || coalesce(b.feedback, '') || ' ' || b.rating_attributes::text as words,
        jsonb_build_object('stretcher', ${stretcherOf}, 'stars', b.rating, 'feedback', b.feedback, 'attributes', b.rating_attributes) as data
      from bookings b where b.customer_id = ${id} and coalesce(b.rated_at, b.feedback_at) is not null`,
    present: ({ stretcher, stars, feedback, attributes }) => ({
      title: stars === null ? 'Feedback' : 'Rated',
      text: stretcher || 'a session',
      stars,
      tone: stars !== null && stars <= 2 ? 'red' : null,
      quote: [feedback && `“${feedback}”`, formatList(attributes)].filter(Boolean).join(' ') || null,
    }),
  }),
  timelineSource<{ type: string; amount: string; credits: number; status: string }>({
    ...{ kind: 'payment', group: 'payments', title: 'Payments', needs },
    rows: (
      id,
    ) => sql`select p.created_at as at, p.id, replace(p.transaction_type, '_', ' ') || ' payment ' || p.amount || ' ' || p.status as words,
        jsonb_build_object('type', p.transaction_type, 'amount', p.amount::text, 'credits', p.credits, 'status', p.status) as data
      from customer_transactions p where p.customer_id = ${id}`,
    present: ({ type, amount, credits, status }) => ({
      title:
        type === 'credit_purchase'
          ? `Bought ${pluralize(credits, 'credit')}`
          : type === 'refund'
            ? 'Refund'
            : 'Paid for a session',
      text: status === 'completed' ? '' : status,
      tone: status === 'failed' ? 'red' : null,
      amount,
    }),
  }),
  timelineSource<Credit>({
    ...{ kind: 'credit', group: 'credits', title: 'Credits', needs },
    // The balance after each entry: today's without all later ones.
    rows: (id) => sql`select e.created_at as at, e.id, 'credits ' || e.kind || ' ' || coalesce(e.reason, '') as words,
        jsonb_build_object('delta', e.delta, 'kind', e.kind, 'reason', e.reason,
          'by', (select w.name from workers w where w.id = e.worker_id),
          'after', c.credits - coalesce(sum(e.delta) over (order by e.created_at desc, e.id desc rows between unbounded preceding and 1 preceding), 0)) as data
      from credit_entries e join customers c on c.id = e.customer_id where e.customer_id = ${id}`,
    present: ({ delta, kind, reason, by, after }) => ({
      title: `${pluralize(Math.abs(delta), 'credit')} ${creditTitles[kind] ?? kind}`,
      text: by ? `by ${by}` : '',
      quote: reason,
      balance: [after - delta, after],
    }),
  }),
  timelineSource<{ type: string; details: string; points: number }>({
    ...{ kind: 'reward', group: 'credits', title: 'Rewards', needs },
    rows: (id) => sql`select r.earned_at as at, r.id, 'reward earned ' || r.reward_type || ' ' || r.details as words,
        jsonb_build_object('type', r.reward_type, 'details', r.details, 'points', r.points) as data
      from rewards r where r.customer_id = ${id}`,
    present: ({ type, details }) => ({ title: 'Reward earned:', text: type, quote: details || null, tone: 'teal' }),
  }),
  timelineSource<{ type: string; details: string }>({
    ...{ kind: 'reward_redeemed', group: 'credits', title: 'Rewards', needs },
    rows: (
      id,
    ) => sql`select r.redeemed_at as at, r.id, 'reward redeemed ' || r.reward_type || ' ' || r.details as words,
        jsonb_build_object('type', r.reward_type, 'details', r.details) as data
      from rewards r where r.customer_id = ${id} and r.redeemed_at is not null`,
    present: ({ type, details }) => ({ title: 'Reward redeemed:', text: type, quote: details || null }),
  }),
  timelineSource<{ note: string; by: string }>({
    ...{ kind: 'note', group: 'notes', title: 'Notes', needs },
    rows: (id) => sql`select n.created_at as at, n.id, 'note ' || w.name || ' ' || n.note as words,
        jsonb_build_object('note', n.note, 'by', w.name) as data
      from customer_notes n join workers w on w.id = n.worker_id where n.customer_id = ${id}`,
    present: ({ note, by }) => ({ title: `Note by ${by}`, quote: note }),
  }),
  timelineSource<{ id: number; name: string }>({
    ...{ kind: 'referral', group: 'referrals', title: 'Referrals', needs },
    rows: (id) => sql`select f.joined_at as at, f.id, 'referred ' || f.first_name || ' ' || f.last_name as words,
        jsonb_build_object('id', f.id, 'name', f.first_name || ' ' || f.last_name) as data
      from customers f where f.referred_by_customer_id = ${id} and f.erased_at is null and f.merged_into_id is null`,
    present: ({ id, name }) => ({ title: 'Referred', text: name, tone: 'teal', link: { to: 'customer', id } }),
  }),
  milestone('joined', 'joined_at', { title: 'Became a customer', tone: 'teal' }),
  milestone('email_verified', 'email_verified_at', { title: 'Verified the email address' }),
  milestone('waiver_signed', 'waiver_signed_at', { title: 'Signed the waiver' }),
  milestone('signed_in', 'last_login_at', { title: 'Signed in', text: 'for the last time' }),
  timelineSource<Change>({
    ...{ kind: 'change', group: 'account', title: 'Changes', needs },
    // Credits and notes are entries of their own.
    rows: (
      id,
    ) => sql`select a.at, a.id, coalesce(a.worker_name, '') || ' ' || replace(a.action, '_', ' ') || ' ' || coalesce(a.reason, '') as words,
        jsonb_build_object('action', a.action, 'by', a.worker_name, 'reason', a.reason,
          'changed', case when jsonb_typeof(a.after -> 'changed') = 'array' then a.after -> 'changed' end) as data
      from audit_log a where a.subject = 'customer' and a.subject_id = ${String(id)} and a.outcome = 'done'
        and a.action not in ('customer_noted', 'credits_adjusted', 'note_written')`,
    present: ({ action, by, reason, changed }) => ({
      title: by ?? 'Limber',
      text: changeText({ action, changed }),
      quote: reason,
      tone: action === 'customer_blocked' ? 'red' : null,
    }),
  }),
]
