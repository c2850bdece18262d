import { shift } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import type { Services } from '#platform/services.ts'
import { copyName, dropCopies } from './archive/copy-files.ts'
import { listVault, type Vault } from './archive/vault.ts'
import { adopt, deleteBackup, findFiled, forgetFailed, noteGone } from './backup.queries.ts'
import { chooseKept, FAILED_KEPT, UNVERIFIED_KEPT } from './retention.rules.ts'

/** Syncs the list with the storage: adopts unknown files, and marks backups whose file is missing as failed. */
export async function tidyVault(db: Db, vault: Vault) {
  const there = new Set<string>()
  const known = await findFiled(db)
  const names = new Set(known.map(({ file }) => file))
  for await (const found of listVault(vault)) {
    there.add(found.file)
    if (!names.has(found.file)) await adopt(db, found)
  }
  for (const { id, file } of known) if (file !== null && !there.has(file)) await noteGone(db, id)
}

/** Deletes backups past their retention, first the file and then the row, and file copies that are no longer needed. */
export async function prune({ db, clock }: Pick<Services, 'db' | 'clock'>, vault: Vault): Promise<{ removed: number }> {
  const now = clock.now()
  const filed = await findFiled(db)
  const verified = filed.flatMap(({ id, taken_at, verified_at }) =>
    verified_at && taken_at ? [{ id, takenAt: taken_at }] : [],
  )
  const kept = chooseKept(verified)
  const isKept = ({ id, verified_at, created_at }: (typeof filed)[number]) =>
    kept.has(id) || (!verified_at && created_at >= shift(now, -UNVERIFIED_KEPT))
  const [stay, go] = [filed.filter(isKept), filed.filter((each) => !isKept(each))]
  for (const { id, file } of go) {
    await vault.storage.delete(vault.prefix + file)
    await deleteBackup(db, id)
  }
  await forgetFailed(db, shift(now, -FAILED_KEPT))
  // The files of an adopted backup are unknown until it is verified. Until then no copy is deleted.
  if (stay.every(({ summary }) => summary !== null))
    await dropCopies(
      vault,
      new Set(stay.flatMap(({ summary }) => summary?.files.map(({ sha256 }) => copyName(sha256)) ?? [])),
    )
  return { removed: go.length }
}
