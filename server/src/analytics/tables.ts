import type { ColumnType, Generated } from 'kysely'

type Fixed<T> = ColumnType<T, never, never>

declare module '#platform/db/db.ts' {
  interface Tables {
    event_deltas: { id: Fixed<number>; body: string }
    event_names: { id: Fixed<number>; kind: 'action' | 'path'; name: string }
    event_users: { num: Fixed<number>; ref: number }
    event_rollups: {
      tier: 0 | 1 | 2 | 3
      action_id: number
      at: Date
      events: number
      errors: number
      time_sum: number
      users: number
      user_set: Buffer
      paths: Buffer
    }
    event_rollup_state: {
      only_row: Fixed<boolean>
      zone: string
      sealed_until: Date
      fives_until: Generated<Date | null>
    }
  }
}
