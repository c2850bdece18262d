import type { EmailType } from '@limber/contract/support/email-log/email-log.ts'
import type {
  Audience,
  NotificationChannel,
  NotificationStatus,
} from '@limber/contract/support/notifications/notification.ts'
import type { TextState } from '@limber/contract/support/texts/message.ts'
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, never, never>
/** A balance that only its ledger moves. */
type Kept<T> = ColumnType<T, never, never>

export type BookingStatus = 'requested' | 'confirmed' | 'in_progress' | 'completed' | 'cancelled' | 'no_show'
export type LifecycleStage = 'new' | 'prospect' | 'active' | 'loyal' | 'at_risk' | 'churned'

declare module '#platform/db/db.ts' {
  interface Tables {
    customers: {
      id: Fixed<number>
      first_name: string
      last_name: string
      email: string
      phone: string | null
      joined_at: Date
      last_login_at: Date | null
      email_verified_at: Date | null
      waiver_signed_at: Date | null
      total_logins: Generated<number>
      customer_type: Generated<'individual' | 'corporate' | 'student'>
      value_tier: Generated<'low' | 'medium' | 'high' | 'vip'>
      lifecycle_stage: Generated<LifecycleStage>
      engagement_score: Generated<number>
      points: Generated<number>
      total_points_earned: Generated<number>
      rank: Generated<'Bronze' | 'Silver' | 'Gold' | 'Platinum'>
      credits: Kept<number>
      blocked_at: Date | null
      blocked_reason: string | null
      address_line: string | null
      city: string | null
      state: string | null
      postal_code: string | null
      latitude: number | null
      longitude: number | null
      zone_id: number | null
      referred_by_customer_id: number | null
      referred_by_stretcher_id: number | null
      referred_by_worker_id: number | null
      merged_into_id: ColumnType<number | null, number | null | undefined, number | null>
      erased_at: ColumnType<Date | null, Date | null | undefined, Date | null>
      verification_sent_at: ColumnType<Date | null, Date | null | undefined, Date | null>
      version: Generated<number>
      search_text: Fixed<string>
    }
    bookings: {
      id: Fixed<number>
      customer_id: number
      stretcher_id: number | null
      zone_id: number
      starts_at: Date
      ends_at: Date
      status: Generated<BookingStatus>
      /** Dollars with four decimals, as text: no float holds money. */
      price: string
      credits_used: Generated<number>
      rating: number | null
      rated_at: Date | null
      feedback: string | null
      feedback_at: Date | null
      cancelled_at: Date | null
      cancel_reason: string | null
      rating_attributes: Generated<string[]>
      created_at: Date
      version: Generated<number>
    }
    customer_transactions: {
      id: Fixed<number>
      customer_id: number
      booking_id: number | null
      transaction_type: 'credit_purchase' | 'session_payment' | 'refund'
      amount: string
      credits: Generated<number>
      status: Generated<'pending' | 'completed' | 'failed'>
      created_at: Date
    }
    credit_entries: {
      id: Fixed<number>
      customer_id: number
      delta: number
      kind: 'purchase' | 'use' | 'refund' | 'referral' | 'grant' | 'removal'
      booking_id: number | null
      transaction_id: number | null
      worker_id: number | null
      reason: string | null
      created_at: Date
    }
    customer_notes: { id: Fixed<number>; customer_id: number; worker_id: number; note: string; created_at: Date }
    rewards: {
      id: Fixed<number>
      customer_id: number
      reward_type: string
      details: string
      points: Generated<number>
      earned_at: Date
      expires_at: Date | null
      redeemed_at: Date | null
    }
    tickets: {
      id: Fixed<number>
      customer_id: number | null
      customer_email: string
      subject: string
      status: Generated<'open' | 'in_progress' | 'closed'>
      priority: Generated<'low' | 'medium' | 'high'>
      assignee_id: number | null
      created_by: number | null
      created_at: Date
      updated_at: Date
      waiting_since: Date | null
      message_count: Generated<number>
      merged_into_id: number | null
      version: Generated<number>
      search_text: Fixed<string>
    }
    ticket_messages: {
      id: Fixed<number>
      ticket_id: number
      from_customer: boolean
      worker_id: number | null
      content: string
      created_at: Date
      ticket_version: number
      origin_ticket_id: number | null
      outbox_key: string | null
      inbound_key: string | null
    }
    ticket_notes: { id: Fixed<number>; ticket_id: number; worker_id: number; content: string; created_at: Date }
    ticket_events: {
      id: Fixed<number>
      ticket_id: number
      worker_id: number | null
      kind: 'opened' | 'status' | 'assigned' | 'priority' | 'merged'
      text: string
      created_at: Date
    }
    kb_suggestions: {
      id: Fixed<number>
      title: string
      content: string
      target_section: 'faq' | 'experience' | 'about'
      target_location: string | null
      priority: 'low' | 'medium' | 'high'
      status: Generated<'pending' | 'approved' | 'implemented' | 'rejected'>
      ticket_id: number | null
      created_by: number
      created_at: Date
      reviewed_by: number | null
      reviewed_at: Date | null
      review_reason: string | null
      published_url: ColumnType<string | null, string | null | undefined, string | null>
      version: Generated<number>
      search_text: Fixed<string>
    }
    kb_suggestion_reviews: {
      id: Fixed<number>
      suggestion_id: number
      status: 'pending' | 'approved' | 'implemented' | 'rejected'
      reason: string
      reviewed_by: number
      reviewed_at: Date
    }
    saved_replies: {
      id: Fixed<number>
      name: string
      content: string
      changed_by: number
      changed_at: Date
      version: Generated<number>
    }
    ticket_presence: { ticket_id: number; worker_id: number; state: 'viewing' | 'typing'; seen_at: Date }
    texts: {
      id: Fixed<number>
      sid: string | null
      is_outgoing: boolean
      from_number: string
      to_number: string
      number: Fixed<string>
      body: string
      media: Generated<number>
      state: TextState
      error: string | null
      sent_at: Date
      worker_id: number | null
      outbox_key: string | null
      tried_at: ColumnType<Date | null, Date | null | undefined, Date | null>
    }
    notifications: {
      id: Fixed<number>
      title: string
      body: string
      channel: NotificationChannel
      audience: ColumnType<Audience, string, never>
      audience_text: string
      status: NotificationStatus
      send_at: Date
      is_for_later: boolean
      has_passkey: boolean
      end_reason: ColumnType<string | null, string | null | undefined, string | null>
      created_by: number
      created_at: Date
      started_at: ColumnType<Date | null, Date | null | undefined, Date | null>
      handed_over_at: ColumnType<Date | null, Date | null | undefined, Date | null>
      ended_at: ColumnType<Date | null, Date | null | undefined, Date | null>
      stopped_by: ColumnType<number | null, number | null | undefined, number | null>
      people: number
      waiting: Generated<number>
      sent: Generated<number>
      delivered: Generated<number>
      failed: Generated<number>
      opted_out: Generated<number>
    }
    notification_recipients: {
      notification_id: number
      customer_id: number
      state: Generated<'waiting' | 'posted' | 'opted_out'>
      outbox_key: Fixed<string>
    }
    email_logs: {
      id: Fixed<number>
      customer_id: number | null
      from_address: string
      to_sealed: Buffer
      to_hash: string
      subject: string
      type: EmailType
      content_sealed: Buffer | null
      key_id: string
      outbox_key: string | null
      created_at: Date
    }
  }
}
