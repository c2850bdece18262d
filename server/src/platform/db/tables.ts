import type { ColumnType, Generated } from 'kysely'

/** A column that the database fills and nobody changes. */
type Fixed<T> = ColumnType<T, never, never>

declare module './db.ts' {
  interface Tables {
    installation: { key: string; value: unknown; changed_at: Generated<Date> }
    audit_log: {
      id: Fixed<number>
      tx: Fixed<string>
      at: Date
      worker_id: number | null
      worker_name: string | null
      call: string
      action: string
      outcome: 'done' | 'refused'
      subject: string | null
      subject_id: string | null
      before: unknown
      after: unknown
      reason: string | null
      address: string | null
      request_id: string | null
    }
    audit_chain: { seq: number; audit_id: number; tx: string; hash: Buffer; at: Generated<Date> }
    outbox: {
      id: Fixed<number>
      channel: string
      key: string
      payload: Buffer
      about: Generated<string>
      state: Generated<'waiting' | 'sent' | 'dead' | 'discarded'>
      tries: Generated<number>
      /** Tries before it was last set going again by hand: they do not count against it. */
      tries_before: Generated<number>
      /** Tries since then that found it too early: they do not count either. */
      waits: Generated<number>
      /** When the first of them was. */
      waiting_since: Date | null
      next_try_at: Date
      /** While somebody carries it. */
      leased_until: Date | null
      last_try_at: Date | null
      last_error: string | null
      created_at: Date
      sent_at: Date | null
      outside_id: string | null
      retried_at: Date | null
      retried_by: number | null
      discarded_at: Date | null
      discarded_by: number | null
      discard_reason: string | null
    }
    suppressions: {
      channel: 'mail' | 'text'
      address_hash: Buffer
      reason: 'unsubscribed' | 'stop_word' | 'hard_bounce' | 'complaint'
      source: string
      created_at: Date
    }
    worker_uploads: { id: Fixed<number>; worker_id: number; bytes: number; sent_at: Date }
    inbound_events: {
      id: Fixed<number>
      kind: string
      key: string
      about: string
      is_signed: boolean
      status: 'received' | 'done' | 'failed' | 'rejected'
      fields: unknown
      withheld: string[]
      error: string | null
      times: Generated<number>
      received_at: Date
      last_received_at: Date
      settled_at: Date | null
      request_id: string | null
      address: string | null
    }
    mailbox: {
      id: Fixed<number>
      to_address: string
      subject: string
      text: string
      html: string | null
      created_at: Date
    }
    schedules: {
      name: string
      title: string
      cron: string
      zone: string
      is_enabled: Generated<boolean>
      paused_by: number | null
      paused_at: Date | null
      paused_reason: string | null
      next_run_at: Date
      version: Generated<number>
    }
    schedule_runs: {
      id: Fixed<number>
      schedule: string
      due_at: Date
      trigger: 'schedule' | 'worker'
      worker_id: number | null
      started_at: Date | null
      beat_at: Date | null
      ended_at: Date | null
      state: Generated<'waiting' | 'running' | 'done' | 'failed' | 'refused'>
      tries: Generated<number>
      error: string | null
      result: unknown
    }
    events: {
      id: string
      created_at: Date
      source: 'staff' | 'customer'
      user_id: number | null
      worker_id: number | null
      action_type: string
      event_outcome: string
      method: string
      url: string
      path: string
      response_status: number
      response_time: number
      ip_address: string | null
    }
    event_failures: {
      id: Fixed<number>
      event_id: string
      at: Date
      source: 'staff' | 'customer'
      user_id: number | null
      worker_id: number | null
      method: string
      url: string
      path: string
      status: number
      ms: number
      address: string | null
      request_id: string | null
      code: string | null
      text: string | null
      cause: string | null
      group_id: number | null
    }
  }
}
