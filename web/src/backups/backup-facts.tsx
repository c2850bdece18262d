import type { BackupList } from '@limber/contract/backups/backup.ts'
import { Moment } from '#ui/format/moment.tsx'
import { CopyButton } from '#ui/layout/copy-button.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { keptText, restoreCommand } from './backup-words.ts'
import styles from './backups.module.css'

/** A command of the command line, to copy. */
export function RestoreCommand({ file, place }: { file: string; place: string }) {
  const command = restoreCommand(file, place)
  return (
    <div className={styles.command}>
      <code className={styles.code}>{command}</code>
      <CopyButton text={command} label="Copy the command" />
    </div>
  )
}

/** When backups are made, what is kept, where they lie and with which key. */
export function BackupFacts({ list: { nightly, retention, keyId, place } }: { list: BackupList }) {
  return (
    <SectionCard title="Schedule and retention">
      <Facts>
        <Facts.Row label="Next run">
          <Moment at={nightly?.nextRun} absent={nightly ? 'None while it is paused' : 'Not scheduled yet'} />
        </Facts.Row>
        <Facts.Row label="Kept">{keptText(retention)}; what is older is removed after the next backup.</Facts.Row>
        <Facts.Row label="Verified">
          Each is restored into a scratch database, and the rows of every table are counted and compared.
        </Facts.Row>
        <Facts.Row label="Encryption key">
          {keyId ? <code className={styles.code}>{keyId}</code> : 'None: set BACKUP_KEY and restart'}
        </Facts.Row>
        <Facts.Row label="Storage">
          <span className={styles.place}>{place}</span>
        </Facts.Row>
      </Facts>
    </SectionCard>
  )
}

/** How a backup is restored; never from here. */
export function RestoreCard({ file, list: { keyId, place } }: { file: string | null; list: BackupList }) {
  return (
    <SectionCard title="Restore">
      <div className={styles.restore}>
        <p>
          A backup is restored on the command line, into an empty database, with{' '}
          {keyId ? (
            <>
              the key <code className={styles.code}>{keyId}</code>
            </>
          ) : (
            'the key it was made with'
          )}{' '}
          in <code className={styles.code}>BACKUP_KEY</code> and the same{' '}
          <code className={styles.code}>SECRET_KEY</code>. All sessions end. Keep both keys where this server cannot
          lose them.
        </p>
        <RestoreCommand file={file ?? 'FILE'} place={file ? place : ''} />
      </div>
    </SectionCard>
  )
}
