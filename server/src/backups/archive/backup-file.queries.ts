import { sql } from 'kysely'
import type { Db } from '#platform/db/db.ts'
import type { StoredFile } from '#platform/storage/storage.ts'

/** The cached hashes of files that have not changed since they were hashed. */
export async function findKnownFiles(db: Db, files: readonly StoredFile[]): Promise<Map<string, string>> {
  if (files.length === 0) return new Map()
  const rows = await db
    .selectFrom('backup_files')
    .selectAll()
    .where(
      'key',
      'in',
      files.map(({ key }) => key),
    )
    .execute()
  const found = new Map(rows.map((row) => [row.key, row]))
  return new Map(
    files.flatMap(({ key, size, changedAt }) => {
      const known = found.get(key)
      const isSame = known?.size === size && known.changed_at.getTime() === Math.floor(changedAt.getTime())
      return known && isSame ? [[key, known.sha256] as const] : []
    }),
  )
}

export async function saveFileHash(db: Db, { key, size, changedAt }: StoredFile, sha256: string) {
  const known = { size, changed_at: new Date(Math.floor(changedAt.getTime())), sha256 }
  await db
    .insertInto('backup_files')
    .values({ key, ...known })
    .onConflict((clash) => clash.column('key').doUpdateSet(known))
    .execute()
}

export async function deleteFilesExcept(db: Db, keys: readonly string[]) {
  await sql`delete from backup_files where key <> all (${keys})`.execute(db)
}
