import type { Backup, BackupKind, BackupProgress, BackupState, RetentionTier } from '@limber/contract/backups/backup.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Meaning } from '#ui/feedback/status.tsx'

export const stateMeaning: Record<BackupState, Meaning> = {
  waiting: 'plain',
  copying: 'blue',
  checking: 'blue',
  verified: 'green',
  unverified: 'amber',
  failed: 'red',
}

export const stateLabels: Record<BackupState, string> = {
  waiting: 'Waiting',
  copying: 'Copying',
  checking: 'Verifying',
  verified: 'Verified',
  unverified: 'Not verified',
  failed: 'Failed',
}

const kindLabels: Record<BackupKind, string> = {
  nightly: 'Nightly',
  manual: 'A worker',
  command: 'Command line',
  adopted: 'Found in storage',
}

export const startedBy = ({ kind, by }: Pick<Backup, 'kind' | 'by'>) => by ?? kindLabels[kind]

export function contentsText({ tables, rows, files }: Pick<Backup, 'tables' | 'rows' | 'files'>): string {
  if (tables === null || rows === null) return '--'
  const parts = [pluralize(tables, 'table'), pluralize(rows, 'row'), ...(files ? [pluralize(files, 'file')] : [])]
  return parts.join(', ')
}

interface ShownProgress {
  label: string
  done: number
  total: number
  counts: string
}

/** What the progress bar shows. */
export function progressOf(progress: BackupProgress | null): ShownProgress {
  if (!progress) return { label: 'Waiting to start', done: 0, total: 1, counts: '' }
  const { stage, done, total, rows, rowsExpected } = progress
  const tables = total > 0 ? `${formatInteger(done)} of ${pluralize(total, 'table')}` : pluralize(done, 'table')
  if (stage === 'files') return { label: 'Copying files', done: 0, total: 1, counts: pluralize(done, 'file') }
  if (stage === 'checking')
    return { label: 'Verifying by a restore into a scratch database', done, total, counts: tables }
  // Table sizes vary a lot, so rows are the better measure when their number is known.
  const byRows = rowsExpected > 0 ? { done: rows, total: Math.max(rows, rowsExpected) } : { done, total }
  return { label: 'Copying tables', ...byRows, counts: `${tables}, ${pluralize(rows, 'row')}` }
}

const tierLabels: Record<RetentionTier, string> = { daily: 'Daily', weekly: 'Weekly', monthly: 'Monthly' }

/** The retention tiers that keep a backup; nothing when none does. */
export const tiersText = (keptAs: readonly RetentionTier[]) => keptAs.map((tier) => tierLabels[tier]).join(', ')

export const retentionText = ({ daily, weekly, monthly }: { daily: number; weekly: number; monthly: number }) =>
  `The newest backup of each of the last ${daily} days, ${weekly} weeks and ${monthly} months`

/** Names the backup by path in a folder, and by file name in a bucket. */
export const restoreCommand = (file: string, place: string) =>
  `npm run limber -- restore ${place.startsWith('/') ? `${place}/${file}` : file}`
