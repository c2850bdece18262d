import type { Backup, BackupList } from '@limber/contract/backups/backup.ts'
import { Progress } from '#ui/charts/progress.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { progressOf } from './backup-labels.ts'

export function BackupNotices({ alarm, nightly }: Pick<BackupList, 'alarm' | 'nightly'>) {
  return (
    <>
      {alarm.isAlarm && <Banner kind="red">{alarm.text}</Banner>}
      {nightly && !nightly.isEnabled && (
        <Banner kind="amber">The nightly backup is paused{nightly.pausedReason && `: ${nightly.pausedReason}`}</Banner>
      )}
    </>
  )
}

export function UnderWay({ backup }: { backup: Backup }) {
  const { label, done, total, counts } = progressOf(backup.state === 'waiting' ? null : backup.progress)
  return (
    <SectionCard title={backup.file ? 'Verifying backup' : 'Backing up'}>
      <Progress
        label={label}
        done={done}
        total={total}
        counts={counts}
        note="You can leave this page. The work continues, and the result appears in the list."
      />
    </SectionCard>
  )
}
