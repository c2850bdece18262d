// What the app sends, in the words of the API. Records name each other by the app's own ids.

export interface Stretcher {
  external_id: string
  first_name: string
  last_name: string
  email: string
  phone: string
  date_of_birth: string
  hired_at: string
  status: 'active'
  zone_id: number
}

export interface Customer {
  external_id: string
  first_name: string
  last_name: string
  email: string
  phone: string
  joined_at: string
  email_verified_at: string
  waiver_signed_at: string
  last_login_at: string
  lifecycle_stage: 'new' | 'active' | 'loyal'
  value_tier: 'low' | 'medium' | 'high'
  rank: 'Bronze' | 'Silver' | 'Gold' | 'Platinum'
  engagement_score: number
  points: number
  total_points_earned: number
  address: { line: string; city: string; state: string; latitude: number; longitude: number }
  referred_by?: { customer: string }
  /** What Limber decides: we learn it, and never send it. `granted` are credits that others gave or took. */
  limber?: { granted: number; blocked: boolean; gone?: 'erased' | 'merged' | 'deleted'; mergedInto?: string }
}

export interface Booking {
  external_id: string
  customer: string
  stretcher: string
  starts_at: string
  ends_at: string
  created_at: string
  status: 'confirmed' | 'in_progress' | 'completed' | 'cancelled' | 'no_show'
  price: string
  credits_used: number
  rating?: number
  rating_attributes?: string[]
  rated_at?: string
  feedback?: string
  feedback_at?: string
  cancelled_at?: string
  cancel_reason?: string
}

export interface Transaction {
  external_id: string
  customer: string
  booking?: string
  type: 'credit_purchase' | 'session_payment' | 'refund'
  amount: string
  credits: number
  status: 'completed'
  created_at: string
}

export interface Credit {
  external_id: string
  customer: string
  delta: number
  kind: 'purchase' | 'use'
  booking?: string
  transaction?: string
  created_at: string
}

export interface Reward {
  external_id: string
  customer: string
  type: string
  details: string
  points: number
  earned_at: string
}

export interface Ticket {
  external_id: string
  customer_email: string
  subject: string
  status: 'open' | 'closed'
  priority: 'low' | 'medium' | 'high'
  created_at: string
  messages: { from_customer: boolean; content: string; created_at: string }[]
  silent: true
}

export interface Lead {
  external_id: string
  first_name: string
  last_name: string
  email: string
  source: 'website'
  note: string
}

export interface PastPay {
  external_id: string
  stretcher: string
  type: 'session'
  amount: string
  withheld: string
  employer_tax: string
  work_date: string
  pay_date: string
}

/** The id of an event is a UUID of ours. */
export interface UsageEvent {
  external_id: string
  id: string
  customer: string
  action_type: string
  event_outcome: 'success' | 'failure'
  method: 'GET' | 'POST'
  url: string
  response_status: number
  response_time: number
  created_at: string
}

export interface Records {
  stretchers: Stretcher
  customers: Customer
  bookings: Booking
  transactions: Transaction
  credits: Credit
  rewards: Reward
  tickets: Ticket
  leads: Lead
  'payroll/history': PastPay
  events: UsageEvent
}
export type Resource = keyof Records

/** In the order of sending: a record comes after those that it names. */
export const resources: readonly Resource[] = [
  'stretchers',
  'customers',
  'bookings',
  'transactions',
  'credits',
  'rewards',
  'tickets',
  'leads',
  'payroll/history',
  'events',
]

/** A new record, or the changed fields of a known one. */
export type Change<R extends Resource = Resource> = Partial<Records[R]> & { external_id: string; updated_at?: string }
export type Changes = { [R in Resource]?: Change<R>[] }

/** Something that happens in the app at a time. */
export interface Moment {
  at: string
  put: Changes
}
