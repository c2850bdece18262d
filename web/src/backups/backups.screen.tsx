import { exportBackups } from '@limber/contract/backups/backup.ts'
import { Button } from '@mantine/core'
import { IconDatabaseExport } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import { backupsKey, backupsQuery, useStartBackup } from './backup.api.ts'
import { BackupDialog } from './backup-dialog.tsx'
import { BackupFacts, RestoreCard } from './backup-facts.tsx'
import { BackupNotices, UnderWay } from './backup-notices.tsx'
import { BackupTable } from './backup-table.tsx'
import styles from './backups.module.css'

export const Search = z.object({ backup: z.coerce.number().int().min(0).catch(0) })

export default function Backups() {
  useLiveRefresh('backups', backupsKey)
  const [{ backup }, change] = useSearchState(Search)
  const state = useTableState('backups')
  const { data: list } = useQuery(backupsQuery(state.page, state.limit))
  const start = useStartBackup()
  const begin = () =>
    void start.mutateAsync().then(
      () => toast('Backup started.'),
      (error: unknown) => toastFailure("Couldn't start the backup", error),
    )
  const isBusy = list?.underWay !== null
  const newest = list?.backups.find(({ state: each }) => each === 'verified')?.file ?? null
  return (
    <>
      <PageHead
        title="Backups"
        actions={
          <>
            <ExportButton call={exportBackups} total={list?.pagination.totalItems} />
            <Button
              leftSection={<Icon of={IconDatabaseExport} />}
              disabled={!list || isBusy || list.keyId === null}
              loading={start.isPending}
              onClick={begin}
            >
              Back up now
            </Button>
          </>
        }
      >
        Newest verified backup: <Moment at={list?.alarm.newestAt} form="relative" absent={list ? 'none yet' : '…'} />
      </PageHead>
      <div className={styles.page}>
        {list && <BackupNotices alarm={list.alarm} nightly={list.nightly} />}
        {list?.underWay && <UnderWay backup={list.underWay} />}
        <BackupTable state={state} openId={backup} onOpen={(id) => change({ backup: id })} />
        {list && (
          <div className={styles.two}>
            <BackupFacts list={list} />
            <RestoreCard file={newest} list={list} />
          </div>
        )}
      </div>
      <BackupDialog id={backup} place={list?.place ?? ''} isBusy={isBusy} onClose={() => change({ backup: 0 })} />
    </>
  )
}
