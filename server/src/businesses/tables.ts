import type { ColumnType, Generated } from 'kysely'
import type { ZoneGeometry } from './zone.rules.ts'

type Fixed<T> = ColumnType<T, never, never>
/** JSON goes in as text, so that an array is never taken for a PostgreSQL array. */
type Json<T> = ColumnType<T, string, string>

declare module '#platform/db.ts' {
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
  }
}
