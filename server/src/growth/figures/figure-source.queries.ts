import type { PayoutCategory } from '@limber/contract/growth/values.ts'
import type { RawBuilder } from 'kysely'

/** The days of the rows, and their zones or their city outside every zone. Without either, the whole company. */
export interface Scope {
  today: string
  days: number
  zoneIds?: readonly number[] | undefined
  city?: string | undefined
  /** Limits payouts to this category. */
  category?: PayoutCategory | undefined
  /** Limits leads to those of this worker or campaign. */
  workerId?: number | undefined
  campaignId?: number | undefined
}

export type Kind =
  | 'customer'
  | 'credit'
  | 'booking'
  | 'rating'
  | 'payment'
  | 'payout'
  | 'stretcher'
  | 'business'
  | 'referral'
  | 'referrer'
  | 'lead'
  | 'response'
  | 'campaign'

type Sql = RawBuilder<unknown>

export interface Source {
  kind: Kind
  /** `id` and `day` of every row the figure counts, and its `worth` where the figure is a sum or an average. */
  matches: Sql
  value: Sql
}
