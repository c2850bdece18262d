import type { Backup, BackupList } from '@limber/contract/backups/backup.ts'
import { formatBytes, formatDuration } from '@limber/contract/kit/formats/numbers.ts'
import { IconDatabaseExport } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable, type TablePage } from '#ui/table/data-table.tsx'
import type { TableState } from '#ui/table/table-state.ts'
import { backupsQuery } from './backup.api.ts'
import { contentsText, startedBy, stateLabels, stateMeaning, tiersText } from './backup-labels.ts'
import styles from './backups.module.css'

const columns: Column<Backup>[] = [
  { key: 'when', title: 'When', isTitle: true, cell: ({ takenAt, createdAt }) => <Moment at={takenAt ?? createdAt} /> },
  {
    key: 'state',
    title: 'Status',
    cell: ({ state, error }) => (
      <span className={styles.state}>
        <StatusDot meaning={stateMeaning[state]}>{stateLabels[state]}</StatusDot>
        {error && <span className={styles.reason}>{error}</span>}
      </span>
    ),
  },
  { key: 'by', title: 'Started by', cell: startedBy },
  { key: 'size', title: 'Size', isRight: true, cell: ({ size }) => (size === null ? '--' : formatBytes(size)) },
  { key: 'duration', title: 'Duration', isRight: true, cell: ({ duration }) => formatDuration(duration) },
  { key: 'contents', title: 'Contents', cell: contentsText },
  { key: 'kept', title: 'Kept as', cell: ({ keptAs }) => tiersText(keptAs) || '--' },
]

const pageOf = ({ backups, pagination }: BackupList): TablePage<Backup> => ({
  rows: backups,
  totalItems: pagination.totalItems,
})

interface Props {
  state: TableState
  openId: number
  onOpen: (id: number) => void
}

export function BackupTable({ state, openId, onOpen }: Props) {
  const query = useQuery({ ...backupsQuery(state.page, state.limit), select: pageOf })
  return (
    <SectionCard title="Backups" isFlush>
      <DataTable
        label="Backups, newest first"
        query={query}
        columns={columns}
        keyOf={({ id }) => id}
        state={state}
        onOpen={({ id }) => onOpen(id)}
        openKey={openId || null}
        failure="Couldn't load backups"
        empty={
          <EmptyState icon={IconDatabaseExport} title="No backups yet">
            A backup runs every night. Select “Back up now” to make the first one.
          </EmptyState>
        }
      />
    </SectionCard>
  )
}
