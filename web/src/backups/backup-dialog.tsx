import type { BackupDetail } from '@limber/contract/backups/backup.ts'
import { formatBytes, formatDuration, formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { Moment } from '#ui/format/moment.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { backupQuery, useVerifyBackup } from './backup.api.ts'
import { RestoreCommand } from './backup-facts.tsx'
import { contentsText, startedBy, stateLabels, stateMeaning, tiersText } from './backup-labels.ts'
import styles from './backups.module.css'

function Contents({ contents }: Pick<BackupDetail, 'contents'>) {
  const full = contents.filter(({ rows }) => rows > 0).toSorted((a, b) => b.rows - a.rows)
  return (
    <details className={styles.contents}>
      <summary>Rows by table</summary>
      <table className={styles.rows} aria-label="Rows by table">
        <tbody>
          {full.map(({ name, rows, sha256 }) => (
            <tr key={name} title={`SHA-256 ${sha256}`}>
              <th scope="row">{name}</th>
              <td>{formatInteger(rows)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {full.length < contents.length && (
        <p className={styles.muted}>Not shown: {pluralize(contents.length - full.length, 'table')} without rows</p>
      )}
    </details>
  )
}

function Detail({ backup, place }: { backup: BackupDetail; place: string }) {
  const { state, error, keptAs, keyId, file } = backup
  return (
    <div className={styles.detail}>
      {error && <Banner kind={state === 'failed' ? 'red' : 'amber'}>{error}</Banner>}
      <Facts>
        <Facts.Row label="Status">
          <StatusBadge meaning={stateMeaning[state]}>{stateLabels[state]}</StatusBadge>
        </Facts.Row>
        <Facts.Row label="Snapshot taken">
          <Moment at={backup.takenAt} />
        </Facts.Row>
        <Facts.Row label="Last verified">
          <Moment at={backup.verifiedAt} absent="Not verified" />
        </Facts.Row>
        <Facts.Row label="Started by">{startedBy(backup)}</Facts.Row>
        <Facts.Row label="Duration">{formatDuration(backup.duration)}</Facts.Row>
        <Facts.Row label="Size">{backup.size === null ? '--' : formatBytes(backup.size)}</Facts.Row>
        <Facts.Row label="Contents">{contentsText(backup)}</Facts.Row>
        <Facts.Row label="Encryption key">{keyId ? <code className={styles.code}>{keyId}</code> : '--'}</Facts.Row>
        <Facts.Row label="Kept as">{tiersText(keptAs) || 'Not kept by retention'}</Facts.Row>
      </Facts>
      {file && <RestoreCommand file={file} place={place} />}
      {backup.contents.length > 0 && <Contents contents={backup.contents} />}
    </div>
  )
}

interface Props {
  id: number
  place: string
  isBusy: boolean
  onClose: () => void
}

export function BackupDialog({ id, place, isBusy, onClose }: Props) {
  const query = useQuery(backupQuery(id))
  const verify = useVerifyBackup()
  const begin = () =>
    void verify.mutateAsync(id, { onSuccess: onClose }).then(
      () => toast('Verification started.'),
      (error: unknown) => toastFailure("Couldn't start the verification", error),
    )
  return (
    <Dialog
      isOpen={id > 0}
      onClose={onClose}
      title="Backup"
      context={query.data?.file ?? undefined}
      size={640}
      foot={
        query.data?.file && (
          <Button variant="default" disabled={isBusy} loading={verify.isPending} onClick={begin}>
            Verify again
          </Button>
        )
      }
    >
      <QueryView query={query} failure="Couldn't load this backup">
        {(backup) => <Detail backup={backup} place={place} />}
      </QueryView>
    </Dialog>
  )
}
