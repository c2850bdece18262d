import type { Backup, BackupKind, BackupProgress, BackupState } from '@limber/contract/backups/backup.ts'
import type { Meaning } from '#ui/feedback/status.tsx'
import { counted, whole } from '#ui/format/counted.ts'

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

/** Who or what began a backup. */
export const beganBy = ({ kind, by }: Pick<Backup, 'kind' | 'by'>) => by ?? kindWord[kind]

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const

/** A size in powers of a thousand: `812 bytes`, `7.5 MB`. */
export function sizeText(bytes: number | null): string {
  if (bytes === null) return '--'
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3))
  const value = bytes / 1000 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`
}

/** What is in a backup. */
export function contentsText({ tables, rows, files }: Pick<Backup, 'tables' | 'rows' | 'files'>): string {
  if (tables === null || rows === null) return '--'
  const parts = [counted(tables, 'table'), counted(rows, 'row'), ...(files ? [counted(files, 'file')] : [])]
  return parts.join(', ')
}

interface Shown {
  label: string
  done: number
  total: number
  counts: string
}

/** How far the work has come, for its bar. */
export function progressOf(progress: BackupProgress | null): Shown {
  if (!progress) return { label: 'Waiting to begin', done: 0, total: 1, counts: '' }
  const { stage, done, total, rows, rowsExpected } = progress
  const tables = total > 0 ? `${whole(done)} of ${counted(total, 'table')}` : counted(done, 'table')
  if (stage === 'files') return { label: 'Copying files', done: 0, total: 1, counts: counted(done, 'file') }
  if (stage === 'checking')
    return { label: 'Verifying by a restore into a scratch database', done, total, counts: tables }
  // Tables differ in size by far: rows say more, where their number is known.
  const byRows = rowsExpected > 0 ? { done: rows, total: Math.max(rows, rowsExpected) } : { done, total }
  return { label: 'Copying tables', ...byRows, counts: `${tables}, ${counted(rows, 'row')}` }
}

/** What is kept, in words. */
export const keptText = ({ daily, weekly, monthly }: { daily: number; weekly: number; monthly: number }) =>
  `The newest of each of ${daily} days, ${weekly} weeks and ${monthly} months`

/** The command that restores a backup: by its path where it lies in a folder, by its name where it lies in a bucket. */
export const restoreCommand = (file: string, place: string) =>
  `npm run limber -- restore ${place.startsWith('/') ? `${place}/${file}` : file}`
