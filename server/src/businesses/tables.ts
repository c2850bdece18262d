import type { ZoneGeometry } from '@limber/contract/businesses/zones/area.ts'
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, never, never>
/** JSON goes in as text, so that an array is never taken for a PostgreSQL array. */
type Json<T> = ColumnType<T, string, string>

export type Stage = 'contacted' | 'pending' | 'active' | 'ended'
export type EntryKind = 'granted' | 'withdrawn' | 'scheduled' | 'moved' | 'reassigned' | 'returned'

declare module '#platform/db/db.ts' {
  interface Tables {
    zones: {
      id: Fixed<number>
      name: string
      time_zone: string
      geometry: Json<ZoneGeometry>
      west: number
      south: number
      east: number
      north: number
      version: Generated<number>
      created_at: Date
    }
    businesses: {
      id: Fixed<number>
      name: string
      custom_path: string
      admin_email: string
      rep_name: string | null
      location: string | null
      zone_id: number
      kind: Generated<'business' | 'school'>
      stage: Generated<Stage>
      /** Calendar days, `YYYY-MM-DD`. */
      pilot_ends_on: string | null
      renews_on: string | null
      ended_reason: string | null
      times_contacted: Generated<number>
      last_contact_at: Date | null
      archived_at: Date | null
      version: Generated<number>
      created_at: Date
      search_text: Fixed<string>
    }
    business_notes: {
      id: Fixed<number>
      business_id: number
      worker_id: number | null
      stage: Stage | null
      note: string
      created_at: Date
    }
    business_emails: {
      id: Fixed<number>
      business_id: number
      email: string
      version: Generated<number>
      created_at: Date
    }
    prepaid_blocks: {
      id: Fixed<number>
      business_id: number
      block_hours: number
      slot_length_minutes: number
      internal_label: Generated<string>
      expires_on: string | null
      used_at: Date | null
      version: Generated<number>
      created_at: Date
    }
    onsite_sessions: {
      id: Fixed<number>
      business_id: number
      block_id: number | null
      stretcher_id: number
      starts_at: Date
      ends_at: Date
      cancelled_at: Date | null
      cancel_reason: string | null
      version: Generated<number>
      created_at: Date
    }
    onsite_participants: {
      id: Fixed<number>
      session_id: number
      slot: number
      name: string
      email: string
      customer_id: number | null
      rating: number | null
      booked_at: Date
    }
    block_entries: {
      id: Fixed<number>
      business_id: number
      block_id: number
      kind: EntryKind
      hours: number
      slots: number
      label: string
      session_id: number | null
      worker_id: number | null
      reason: string | null
      created_at: Date
    }
  }
}
