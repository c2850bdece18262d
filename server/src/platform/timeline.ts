import type { PermissionName } from '@limber/contract/access/permissions.ts'
import type { TimelineEntry, TimelineGroup } from '@limber/contract/support/timeline/timeline.ts'
import type { RawBuilder } from 'kysely'

/** What an entry says. Everything but the title is optional. */
export type TimelineWords = Pick<TimelineEntry, 'title'> &
  Partial<Pick<TimelineEntry, 'text' | 'quote' | 'tone' | 'amount' | 'balance' | 'stars' | 'link'>>

/** One kind of entry of a customer's timeline. An area registers its kinds in `area.ts`. */
export interface TimelineSource {
  /** A name in snake case, unique among all sources. Entries of the same moment are ordered by it. */
  kind: string
  group: TimelineGroup
  /** Subject of the message that it could not be loaded: `Payments`. */
  title: string
  /** Who sees it: holders of one permission of each list. */
  needs: readonly (readonly PermissionName[])[]
  /**
   * A select of the columns `at`, `id`, `words` (what a search covers) and `data` (JSON) for all entries of a customer,
   * without an order. An index on the customer and the moment keeps a page cheap.
   */
  rows(customerId: number): RawBuilder<unknown>
  present(data: never, at: Date): TimelineWords
  /** The entries belong to tickets: `data.id` is the number of the ticket. */
  isOfTickets?: boolean
}

/** Who may read accounts: holders of either permission. */
export const ACCOUNTS: readonly PermissionName[] = ['users.overview', 'users.directory']

/** Checks `present` against the type of the data that `rows` selects. */
export const timelineSource = <Data>(
  source: Omit<TimelineSource, 'present'> & { present(data: Data, at: Date): TimelineWords },
): TimelineSource => source
