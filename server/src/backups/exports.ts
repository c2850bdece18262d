import { exportBackups } from '@limber/contract/backups/backup.ts'
import { exporting, listed, NO_COLUMN } from '#platform/exports/export.ts'

export const backupsExports = [
  exporting(exportBackups, {
    rows: ({ backups }) => backups,
    columns: {
      id: 'ID',
      kind: 'Kind',
      by: 'Started by',
      state: 'State',
      createdAt: 'Requested',
      startedAt: 'Started',
      takenAt: 'Taken',
      endedAt: 'Ended',
      verifiedAt: 'Verified',
      duration: 'Milliseconds',
      file: 'File',
      size: 'Bytes',
      keyId: 'Key',
      tables: 'Tables',
      rows: 'Rows',
      files: 'Files',
      progress: NO_COLUMN,
      error: 'Error',
      keptAs: [['Kept as', listed]],
    },
  }),
]
