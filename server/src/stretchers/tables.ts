import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, never, never>

declare module '#platform/db/db.ts' {
  interface Tables {
    stretchers: {
      id: Fixed<number>
      customer_id: number
      zone_id: number | null
      first_name: string
      last_name: string
      email: string
      /** A calendar day, `YYYY-MM-DD`. */
      date_of_birth: string | null
      status: Generated<'active' | 'inactive' | 'in_training'>
      hired_at: Date
      trained_at: Date | null
      deactivated_at: Date | null
      deactivated_reason: string | null
      deactivated_by: number | null
      version: Generated<number>
    }
  }
}
