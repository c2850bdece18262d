import type { DateOrder } from '@limber/contract/imports/import-fields.ts'
import type { Db } from '#platform/db/db.ts'
import type { ImportRecord } from './imports.queries.ts'
import { isSinceJoined, type MatchedColumn, matchColumns } from './match-columns.ts'
import { findZonesByName } from './zones.queries.ts'

/** How the cells of a file are read. */
export interface FileMap {
  columns: readonly MatchedColumn[]
  orderOf(column: MatchedColumn): DateOrder | undefined
  /** Ids of zones by their names in lower case. */
  zones: ReadonlyMap<string, number>
}

/** The columns of an import that was started, and the order of day and month in each. */
export async function mapOf(db: Db, { resource, profile, columns, dates }: ImportRecord): Promise<FileMap> {
  const matched = matchColumns(
    resource,
    profile.map(({ header }) => header),
    columns ?? {},
  )
  return {
    // Those that may only say yes or no need the day on which the customer joined.
    columns: matched.toSorted((a, b) => Number(isSinceJoined(a.field)) - Number(isSinceJoined(b.field))),
    orderOf({ place }) {
      const found = profile[place]?.dates?.order
      return dates ?? (found === 'unclear' ? undefined : found) ?? undefined
    },
    zones: await findZonesByName(db),
  }
}
