import type { Backup, BackupDetail, BackupList } from '@limber/contract/backups/backup.ts'

export const makeBackup = (more: Partial<Backup> = {}): Backup => ({
  id: 12,
  kind: 'nightly',
  by: null,
  state: 'verified',
  createdAt: '2026-11-14T11:30:00.000Z',
  startedAt: '2026-11-14T11:30:00.000Z',
  takenAt: '2026-11-14T11:30:00.000Z',
  endedAt: '2026-11-14T11:30:09.000Z',
  verifiedAt: '2026-11-14T11:30:09.000Z',
  duration: 9_000,
  file: 'limber-20261114T113000Z-abc.backup',
  size: 7_500_000,
  keyId: 'b80ad3a9',
  tables: 107,
  rows: 196_983,
  files: 0,
  progress: null,
  error: null,
  keptAs: ['daily'],
  ...more,
})

export const makeDetail = (more: Partial<BackupDetail> = {}): BackupDetail => ({
  ...makeBackup(),
  contents: [
    { name: 'workers', rows: 12, bytes: 900, sha256: 'ab' },
    { name: 'zones', rows: 0, bytes: 0, sha256: 'cd' },
  ],
  ...more,
})

export const makeList = (backups: Backup[] = [makeBackup()], more: Partial<BackupList> = {}): BackupList => ({
  backups,
  pagination: { page: 1, limit: 10, totalItems: backups.length, totalPages: 1 },
  underWay: null,
  alarm: { isAlarm: false, newestAt: '2026-11-14T11:30:00.000Z', text: 'The newest verified backup is recent.' },
  keyId: 'b80ad3a9',
  place: '/var/backups/limber',
  nightly: { nextRun: '2026-11-15T11:30:00.000Z', isEnabled: true, pausedReason: null },
  retention: { daily: 14, weekly: 8, monthly: 12 },
  ...more,
})
