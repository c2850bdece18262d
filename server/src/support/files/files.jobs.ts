import { DAY, shift } from '#platform/clock.ts'
import { runWork, type Work } from '#platform/db/work.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Services } from '#platform/services.ts'
import { fileKey, scanFile } from './store-file.ts'
import { findKnownNames, findUnscanned, removeOldDrafts, saveVerdict } from './ticket-file.queries.ts'

const REMOVE_FILES = 'support-remove-files'
const PREFIX = fileKey('')
const BATCH_SIZE = 500

/** Deletes files after the transaction commits. If it rolls back, the files stay. */
export function deleteFilesAfterCommit({ enqueue }: Pick<Work, 'enqueue'>, names: readonly string[]) {
  for (let at = 0; at < names.length; at += BATCH_SIZE) {
    const batch = names.slice(at, at + BATCH_SIZE)
    enqueue({
      channel: 'job',
      key: `support-files:${batch[0]}`,
      payload: { name: REMOVE_FILES, data: { names: batch } },
      about: batch.length === 1 ? 'Delete a file of a ticket' : `Delete ${batch.length} files of tickets`,
    })
  }
}

export const removeFilesJob: Job = {
  name: REMOVE_FILES,
  run: async ({ db, storage }, data) => {
    const names = (Array.isArray(data.names) ? data.names : []).map(String)
    // A name that has a record again must stay.
    const known = await findKnownNames(db, names)
    for (const name of names) if (!known.has(name)) await storage.delete(fileKey(name))
  },
}

/** Deletes unsent files and files without a record, both after a day. A crash between file and record leaves such files. */
export async function sweepTicketFiles({ db, storage, clock }: Pick<Services, 'db' | 'storage' | 'clock'>) {
  const before = shift(clock.now(), -DAY)
  await removeOldDrafts(db, before)
  let removed = await storage.sweep(PREFIX, before)
  let names: string[] = []
  const sweepBatch = async () => {
    const known = await findKnownNames(db, names)
    for (const name of names) {
      if (known.has(name)) continue
      await storage.delete(fileKey(name))
      removed++
    }
    names = []
  }
  for await (const { key, changedAt } of storage.list(PREFIX)) {
    if (changedAt > before) continue
    names.push(key.slice(PREFIX.length))
    if (names.length >= BATCH_SIZE) await sweepBatch()
  }
  await sweepBatch()
  return { removed }
}

/** The scanner is down when it gives no verdict this often in a row. One file alone may be too large for it. */
const MAX_FAILURES = 3

/** Scans the files that came while the scanner was down. */
export async function scanWaitingFiles(services: Services) {
  const { db, storage, config } = services
  let scanned = 0
  let failures = 0
  if (!config.scanner) return { scanned }
  for (let after = 0; ; ) {
    const files = await findUnscanned(db, after)
    if (files.length === 0) return { scanned }
    for (const { id, name } of files) {
      after = id
      const verdict = await scanFile(services, async () => (name === null ? undefined : storage.get(fileKey(name))))
      failures = verdict.state === 'unscanned' ? failures + 1 : 0
      if (failures >= MAX_FAILURES) return { scanned }
      if (verdict.state === 'unscanned') continue
      await runWork(services, { call: 'virus scanner' }, async (work) => {
        const ticketId = await saveVerdict(work.db, id, verdict)
        if (ticketId === undefined) return
        if (verdict.state === 'infected' && name !== null) deleteFilesAfterCommit(work, [name])
        work.publish('tickets', { ticket: ticketId })
      })
      scanned++
    }
  }
}
