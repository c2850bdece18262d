import { shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#platform/services.ts'
import { copyName, deleteCopies } from './archive/copy-files.ts'
import { listVault, type Vault } from './archive/vault.ts'
import { adoptFile, deleteBackup, deleteFailedBefore, findBackupsWithFile, markFileMissing } from './backup.queries.ts'
import { FAILED_RETENTION, selectKept, UNVERIFIED_RETENTION } from './retention.rules.ts'

/** Syncs the list with the storage: adopts unknown files, and marks backups whose file is missing as failed. */
export async function syncVault(db: Db, vault: Vault) {
  const there = new Set<string>()
  const known = await findBackupsWithFile(db)
  const names = new Set(known.map(({ file }) => file))
  for await (const found of listVault(vault)) {
    there.add(found.file)
    if (!names.has(found.file)) await adoptFile(db, found)
  }
  for (const { id, file } of known) if (file !== null && !there.has(file)) await markFileMissing(db, id)
}

/** Deletes backups past their retention, first the file and then the row, and file copies that are no longer needed. */
export async function prune({ db, clock }: Pick<Services, 'db' | 'clock'>, vault: Vault): Promise<{ removed: number }> {
  const now = clock.now()
  const filed = await findBackupsWithFile(db)
  const verified = filed.flatMap(({ id, taken_at, verified_at }) =>
    verified_at && taken_at ? [{ id, takenAt: taken_at }] : [],
  )
  const kept = selectKept(verified)
  const isKept = ({ id, verified_at, created_at }: (typeof filed)[number]) =>
    kept.has(id) || (!verified_at && created_at >= shift(now, -UNVERIFIED_RETENTION))
  const [stay, go] = [filed.filter(isKept), filed.filter((each) => !isKept(each))]
  for (const { id, file } of go) {
    await vault.storage.delete(vault.prefix + file)
    await deleteBackup(db, id)
  }
  await deleteFailedBefore(db, shift(now, -FAILED_RETENTION))
  // The files of an adopted backup are unknown until it is verified. Until then no copy is deleted.
  if (stay.every(({ summary }) => summary !== null))
    await deleteCopies(
      vault,
      new Set(stay.flatMap(({ summary }) => summary?.files.map(({ sha256 }) => copyName(sha256)) ?? [])),
    )
  return { removed: go.length }
}
