import type { Import, UndoPreview } from '@limber/contract/imports/import.ts'
import { type ImportResource, importKinds } from '@limber/contract/imports/import-kinds.ts'
import type { ImportState, RowState } from '@limber/contract/imports/import-values.ts'
import { formatBytes, formatInteger, formatList, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Meaning } from '#ui/feedback/status.tsx'
import { isRunning } from './import.api.ts'
import type { Step } from './import-search.ts'

export const stateLabels: Record<ImportState, string> = {
  uploaded: 'Uploaded',
  checking: 'Checking',
  checked: 'Checked',
  applying: 'Applying',
  applied: 'Applied',
  canceled: 'Canceled',
  failed: 'Failed',
  undoing: 'Undoing',
  undone: 'Undone',
}

export const stateMeaning: Record<ImportState, Meaning> = {
  uploaded: 'plain',
  checking: 'blue',
  checked: 'amber',
  applying: 'blue',
  applied: 'green',
  canceled: 'plain',
  failed: 'red',
  undoing: 'blue',
  undone: 'plain',
}

export const rowLabels: Record<RowState, string> = {
  create: 'Create',
  update: 'Update',
  unchanged: 'Unchanged',
  skipped: 'Skipped',
  rejected: 'Rejected',
  changed_since: 'Changed since the check',
}

export const rowMeaning: Record<RowState, Meaning> = {
  create: 'green',
  update: 'blue',
  unchanged: 'plain',
  skipped: 'plain',
  rejected: 'red',
  changed_since: 'amber',
}

const encodings = { 'utf-8': 'UTF-8', 'utf-16le': 'UTF-16', 'utf-16be': 'UTF-16', 'windows-1252': 'Windows-1252' }
const delimiters = { ',': 'comma', ';': 'semicolon', '\t': 'tab' }

/** `100,000 rows, 18.4 MB, UTF-8, comma` */
export const fileText = ({ rows, bytes, encoding, delimiter }: Import['file']) =>
  [pluralize(rows, 'row'), formatBytes(bytes), encodings[encoding], delimiters[delimiter]].join(', ')

/** `1 customer`, `3 customers` */
export const countText = (count: number, resource: ImportResource) =>
  pluralize(count, importKinds[resource].one, importKinds[resource].many)

export const titleOf = ({ resource }: Pick<Import, 'resource'>) => `Import ${importKinds[resource].many}`

export const percentOf = ({ progress: { done, total } }: Pick<Import, 'progress'>) =>
  total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : 0

export const hasWritten = (one: Import) => one.counts.created + one.counts.updated > 0

/** The step that the state of an import leads to. */
export function stepOf(one: Import): Step {
  if (one.state === 'uploaded') return 'columns'
  if (one.state === 'checking' || one.state === 'checked') return 'check'
  if (one.state === 'applying') return 'apply'
  // A check that was canceled or failed starts over.
  if ((one.state === 'canceled' || one.state === 'failed') && one.applied_at === null && !hasWritten(one))
    return one.checked_at === null ? 'columns' : 'check'
  return 'result'
}

/** Whether earlier steps can still be opened: nothing was written, and nothing runs. */
export const canGoBack = (one: Import) => !isRunning(one) && stepOf(one) !== 'result' && one.file.is_kept

/** Changes that the plan still holds. */
export const openChanges = ({ counts }: Pick<Import, 'counts'>) =>
  Math.max(0, counts.create + counts.update - counts.created - counts.updated)

const MINUTE = 60

/** `21 s`, `3 min` */
const spanText = (seconds: number) =>
  seconds < MINUTE ? `${Math.max(1, Math.round(seconds))} s` : `${formatInteger(Math.round(seconds / MINUTE))} min`

/** How fast it goes and how long it still takes, once that can be said. */
export function paceText({ progress: { done, total }, started_at }: Import, now: Date): string | undefined {
  const seconds = started_at ? (now.getTime() - Date.parse(started_at)) / 1000 : 0
  if (seconds < 2 || done === 0) return undefined
  const rate = done / seconds
  return `${pluralize(Math.max(1, Math.round(rate)), 'row')} a second, about ${spanText((total - done) / rate)} left`
}

/** How long a step took. */
export function tookText(from: string | null, to: string | null): string {
  const seconds = from && to ? (Date.parse(to) - Date.parse(from)) / 1000 : -1
  return seconds >= 0 ? ` in ${spanText(seconds)}` : ''
}

/** What an undo does, with the records that stay because they changed since. */
export function undoText({ removed, restored, kept }: UndoPreview, resource: ImportResource): string {
  const does = [
    removed > 0 && `removes ${countText(removed, resource)}`,
    restored > 0 && `restores ${countText(restored, resource)}`,
  ].filter((part) => part !== false)
  const said = does.length > 0 ? `This ${formatList(does)}.` : 'Nothing can be taken back.'
  const stays = kept > 0 ? ` ${countText(kept, resource)} changed since and ${kept === 1 ? 'stays' : 'stay'}.` : ''
  return `${said}${stays} Records that others refer to stay, too, and are listed.`
}
