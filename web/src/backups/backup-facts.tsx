import type { BackupList } from '@limber/contract/backups/backup.ts'
import { Moment } from '#ui/format/moment.tsx'
import { CopyButton } from '#ui/layout/copy-button.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { restoreCommand, retentionText } from './backup-labels.ts'
import styles from './backups.module.css'

export function RestoreCommand({ file, place }: { file: string; place: string }) {
  const command = restoreCommand(file, place)
  return (
    <div className={styles.command}>
      <code className={styles.code}>{command}</code>
      <CopyButton text={command} label="Copy command" />
    </div>
  )
}

export function BackupFacts({ list: { nightly, retention, keyId, place } }: { list: BackupList }) {
  return (
    <SectionCard title="Schedule and retention">
      <Facts>
        <Facts.Row label="Next run">
          <Moment at={nightly?.nextRun} absent={nightly ? 'None while paused' : 'Not scheduled yet'} />
        </Facts.Row>
        <Facts.Row label="Kept">{retentionText(retention)}; older ones are deleted after the next backup.</Facts.Row>
        <Facts.Row label="Verified">
          Every backup is restored into a scratch database, and the rows of every table are compared.
        </Facts.Row>
        <Facts.Row label="Encryption key">
          {keyId ? <code className={styles.code}>{keyId}</code> : 'Not set. Set BACKUP_KEY and restart the server.'}
        </Facts.Row>
        <Facts.Row label="Storage">
          <span className={styles.place}>{place}</span>
        </Facts.Row>
      </Facts>
    </SectionCard>
  )
}

/** Restores run on the command line only. */
export function RestoreCard({ file, list: { keyId, place } }: { file: string | null; list: BackupList }) {
  return (
    <SectionCard title="Restore">
      <div className={styles.restore}>
        <p>
          Restore a backup on the command line, into an empty database, with{' '}
          {keyId ? (
            <>
              the key <code className={styles.code}>{keyId}</code>
            </>
          ) : (
            'the key it was encrypted with'
          )}{' '}
          in <code className={styles.code}>BACKUP_KEY</code> and the same{' '}
          <code className={styles.code}>SECRET_KEY</code>. All workers are signed out. Keep a copy of both keys outside
          this server.
        </p>
        <RestoreCommand file={file ?? 'FILE'} place={file ? place : ''} />
      </div>
    </SectionCard>
  )
}
