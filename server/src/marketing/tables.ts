import type { LeadSource, LeadStatus } from '@limber/contract/marketing/leads/lead.ts'
import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, never, never>
type Json<T> = ColumnType<T, string | undefined, string>

/** A film that goes up in parts, and how far it came. */
export interface VideoUpload {
  session: string
  video: string
  start: string
  end: string
}

/** What Meta knows of a campaign: what each thing was made with, and what it was told since. A lost answer makes it unknown. */
export interface Told {
  isActive: boolean
  name: string
  budget: string | null
  endDate: string | null
}

declare module '#platform/db/db.ts' {
  interface Tables {
    campaigns: {
      id: Fixed<number>
      name: string
      status: Generated<'active' | 'paused' | 'completed'>
      source: 'facebook_lead_ad' | 'email' | 'google_ads' | 'manual'
      /** Dollars a day with four decimals, as text: no float holds money. */
      budget: string | null
      start_date: string
      end_date: string | null
      ad_message: string | null
      target_audience: Json<Record<string, unknown>>
      goals: Json<unknown[]>
      notes: string | null
      link_description: string | null
      tagged_entities: Generated<string[]>
      meta_ad_objective: 'LEAD_GENERATION' | 'TRAFFIC' | 'CONVERSIONS' | 'APP_INSTALLS' | null
      lead_form_fields: Generated<string[]>
      custom_questions: Json<unknown[]>
      meta_campaign_id: ColumnType<string | null, string | null | undefined, string | null>
      created_by: number | null
      created_at: Date
      updated_at: Date
      version: Generated<number>
    }
    campaign_media: {
      name: string
      campaign_id: number
      position: number
      filename: string
      mime_type: 'image/jpeg' | 'image/png' | 'video/mp4'
      bytes: number
      created_at: Date
    }
    campaign_pushes: {
      campaign_id: number
      state: Generated<'waiting' | 'retrying' | 'failed' | 'done'>
      step: string | null
      error: string | null
      begun: string | null
      mark: string
      adset_id: string | null
      form_id: string | null
      image_hash: string | null
      video_id: string | null
      upload: ColumnType<VideoUpload | null, string | null, string | null>
      creative_id: string | null
      ad_id: string | null
      told: ColumnType<Partial<Told> | null, string | null, string | null>
      rounds: Generated<number>
      lease: string | null
      leased_until: Date | null
      updated_at: Date
    }
    leads: {
      id: Fixed<number>
      first_name: Generated<string>
      last_name: Generated<string>
      email: string | null
      phone: string | null
      source: LeadSource
      campaign_id: number | null
      status: Generated<LeadStatus>
      /** The farthest step of the funnel so far, from 1. */
      farthest: Generated<number>
      assignee_id: number | null
      customer_id: number | null
      lost_reason: string | null
      created_by: number | null
      created_at: Date
      updated_at: Date
      status_since: Date
      first_response_at: Date | null
      converted_at: Date | null
      leadgen_id: ColumnType<string | null, string | null | undefined, string | null>
      answers: Json<{ name: string; value: string }[]>
      version: Generated<number>
      search_text: Fixed<string>
    }
    meta_leadgens: {
      leadgen_id: string
      page_id: string | null
      form_id: string | null
      ad_id: string | null
      state: Generated<'waiting' | 'done' | 'failed'>
      inbound_id: number | null
      lead_id: number | null
      tries: Generated<number>
      next_try_at: Date
      leased_until: Date | null
      error: string | null
      received_at: Date
      settled_at: Date | null
    }
    merged_leads: {
      id: number
      lead_id: number
      first_name: string
      last_name: string
      email: string | null
      phone: string | null
      source: LeadSource
      campaign_id: number | null
      created_at: Date
      leadgen_id: string | null
      merged_by: number
      merged_at: Date
    }
    lead_notes: { id: Fixed<number>; lead_id: number; worker_id: number; content: string; created_at: Date }
    lead_steps: {
      id: Fixed<number>
      lead_id: number
      /** When the person first came, as the lead says. */
      lead_created_at: Date
      status: LeadStatus
      entered_at: Date
      left_at: Date | null
      worker_id: number | null
      reason: string | null
      /** The account that this conversion opened. */
      opened_customer_id: ColumnType<number | null, number | null | undefined, number | null>
      ended_by_merge: Generated<boolean>
    }
  }
}
