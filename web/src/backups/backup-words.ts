import type { Backup, BackupKind, BackupProgress, BackupState, KeptAs } from '@limber/contract/backups/backup.ts'
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

export const stateWord: Record<BackupState, string> = {
  waiting: 'Waiting',
  copying: 'Copying',
  checking: 'Verifying',
  verified: 'Verified',
  unverified: 'Not verified',
  failed: 'Failed',
}

const kindWord: Record<BackupKind, string> = {
  nightly: 'Nightly',
  manual: 'A worker',
  command: 'Command line',
  adopted: 'Found in storage',
}

export const beganBy = ({ kind, by }: Pick<Backup, 'kind' | 'by'>) => by ?? kindWord[kind]

export function contentsText({ tables, rows, files }: Pick<Backup, 'tables' | 'rows' | 'files'>): string {
  if (tables === null || rows === null) return '--'
  const parts = [pluralize(tables, 'table'), pluralize(rows, 'row'), ...(files ? [pluralize(files, 'file')] : [])]
  return parts.join(', ')
}

interface Shown {
  label: string
  done: number
  total: number
  counts: string
}

/** What the progress bar shows. */
export function progressOf(progress: BackupProgress | null): Shown {
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

const tierLabels: Record<KeptAs, string> = { daily: 'Daily', weekly: 'Weekly', monthly: 'Monthly' }

/** The retention tiers that keep a backup; nothing when none does. */
export const tiersText = (keptAs: readonly KeptAs[]) => keptAs.map((tier) => tierLabels[tier]).join(', ')

export const keptText = ({ daily, weekly, monthly }: { daily: number; weekly: number; monthly: number }) =>
  `The newest backup of each of the last ${daily} days, ${weekly} weeks and ${monthly} months`

/** Names the backup by path in a folder, and by file name in a bucket. */
export const restoreCommand = (file: string, place: string) =>
  `npm run limber -- restore ${place.startsWith('/') ? `${place}/${file}` : file}`
