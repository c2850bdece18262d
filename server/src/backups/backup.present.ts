import type { Backup, BackupDetail, RetentionTier } from '@limber/contract/backups/backup.ts'
import type { ArchiveSummary } from './archive/archive.ts'
import type { BackupRow } from './backup.queries.ts'

const iso = (at: Date | null) => at?.toISOString() ?? null

export const presentBackup = (row: BackupRow, keptAs: readonly RetentionTier[] = []): Backup => ({
  id: row.id,
  kind: row.kind,
  by: row.worker_name,
  state: row.state,
  createdAt: row.created_at.toISOString(),
  startedAt: iso(row.started_at),
  takenAt: iso(row.taken_at),
  endedAt: iso(row.ended_at),
  verifiedAt: iso(row.verified_at),
  duration: row.started_at && row.ended_at && Math.max(0, row.ended_at.getTime() - row.started_at.getTime()),
  file: row.file,
  size: row.size,
  keyId: row.key_id,
  tables: row.tables,
  rows: row.rows,
  files: row.files,
  progress: row.progress,
  error: row.error,
  keptAs: [...keptAs],
})

export const presentDetail = (
  row: BackupRow & { summary: ArchiveSummary | null },
  keptAs: readonly RetentionTier[] = [],
): BackupDetail => ({ ...presentBackup(row, keptAs), contents: row.summary?.tables ?? [] })
