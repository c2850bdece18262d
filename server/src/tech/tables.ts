import type { HealthStatus } from '@limber/contract/tech/health/health.ts'
import type { ColumnType, Generated } from 'kysely'
import type { GroupSum } from './errors/failure.rules.ts'

type Fixed<T> = ColumnType<T, never, never>

declare module '#platform/db/db.ts' {
  interface Tables {
    error_groups: GroupSum & {
      id: Fixed<number>
      is_handled: Generated<boolean>
      handled_at: Date | null
      handled_by: number | null
      handled_note: string | null
      reopened_at: Date | null
      times_reopened: Generated<number>
      version: Generated<number>
    }
    error_counts: { group_id: number; tier: 0 | 1; at: Date; count: number }
    error_people: { group_id: number; person: number; last_at: Date }
    health_states: {
      probe: string
      status: HealthStatus
      summary: string
      facts: unknown
      latency: number | null
      since: Date
      checked_at: Date
      last_error: string | null
      last_error_at: Date | null
    }
    health_samples: { probe: string; at: Date; status: HealthStatus; latency: number | null }
  }
}
