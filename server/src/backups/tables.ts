import type { ColumnType, Generated } from 'kysely'
import type { ArchiveSummary } from './archive/archive.ts'

export type BackupKind = 'nightly' | 'manual' | 'command' | 'adopted'
export type BackupState = 'waiting' | 'copying' | 'checking' | 'verified' | 'unverified' | 'failed'

/** How far the work under way has come. */
export interface Progress {
  stage: 'files' | 'copying' | 'checking'
  /** Of the tables while they are copied or restored, of the files while those are. */
  done: number
  total: number
  rows: number
  /** About how many; none when nobody can say. */
  rowsExpected: number
}

type Json<T> = ColumnType<T | null, string | null | undefined, string | null>

declare module '#platform/db/db.ts' {
  interface Tables {
    backups: {
      id: ColumnType<number, never, never>
      kind: BackupKind
      state: Generated<BackupState>
      worker_id: number | null
      created_at: Date
      started_at: ColumnType<Date | null, Date | null | undefined, Date | null>
      taken_at: ColumnType<Date | null, Date | null | undefined, Date | null>
      ended_at: ColumnType<Date | null, Date | null | undefined, Date | null>
      beat_at: Date
      tries: Generated<number>
      file: ColumnType<string | null, string | null | undefined, string | null>
      size: ColumnType<number | null, number | null | undefined, number | null>
      key_id: ColumnType<string | null, string | null | undefined, string | null>
      tables: ColumnType<number | null, number | null | undefined, number | null>
      rows: ColumnType<number | null, number | null | undefined, number | null>
      files: ColumnType<number | null, number | null | undefined, number | null>
      summary: Json<ArchiveSummary>
      progress: Json<Progress>
      verified_at: ColumnType<Date | null, Date | null | undefined, Date | null>
      error: ColumnType<string | null, string | null | undefined, string | null>
    }
    backup_files: { key: string; size: number; changed_at: Date; sha256: string }
  }
}
