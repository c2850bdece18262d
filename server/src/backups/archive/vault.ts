import { basename, dirname, resolve } from 'node:path'
import type { Config } from '#platform/config.ts'
import { randomToken } from '#platform/security/secrets.ts'
import { makeStorage } from '#platform/storage/open-storage.ts'
import type { Storage } from '#platform/storage/storage.ts'
import { diskStorage } from '#platform/storage/storage-disk.ts'

/** Where backups are stored: a storage and a prefix in it. */
export interface Vault {
  storage: Storage
  prefix: string
  /** For people, for example `bucket limber`. */
  location: string
}

/** The prefix of backups in the file storage, when they share one. */
export const BACKUP_PREFIX = 'backups/'

/** Prefix of backup names, and folder of the shared file copies. */
const ARCHIVES = 'limber-'
export const COPIES = 'files/'

type VaultConfig = Pick<Config, 'backup' | 's3' | 's3Access' | 'storagePath'>

const bucketOf = (storage: string | undefined) => /^s3:\/\/([^/]+)\/?$/.exec(storage ?? '')?.[1]

export function describeLocation({ backup: { storage }, s3, storagePath }: VaultConfig): string {
  const bucket = bucketOf(storage)
  if (bucket) return `bucket ${bucket}`
  if (storage !== undefined) return resolve(storage)
  return s3 ? `bucket ${s3.bucket}, ${BACKUP_PREFIX}` : resolve(storagePath, BACKUP_PREFIX)
}

/** Opens the backup storage, or a prefix of the file storage if none is configured. */
export async function openVault(config: VaultConfig, files?: Storage): Promise<Vault> {
  const { storage } = config.backup
  const location = describeLocation(config)
  if (storage === undefined) return { storage: files ?? (await makeStorage(config)), prefix: BACKUP_PREFIX, location }
  const bucket = bucketOf(storage)
  if (!bucket) return { storage: diskStorage(storage), prefix: '', location }
  return { storage: await makeStorage({ s3: { bucket, ...config.s3Access }, storagePath: '' }), prefix: '', location }
}

/** A vault for the folder of a local file. */
export const vaultOfFile = (path: string): { vault: Vault; file: string } => ({
  vault: { storage: diskStorage(dirname(resolve(path))), prefix: '', location: dirname(resolve(path)) },
  file: basename(path),
})

const NAME_PATTERN = /^limber-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z-[\w-]+\.backup$/

/** A name with the time and a random part. */
export const fileName = (at: Date) =>
  `limber-${at.toISOString().replace(/[-:]|\.\d+/g, '')}-${randomToken(6).replace(/^[-_]/, '0')}.backup`

/** Parses the time in the name of a backup. Undefined for other files. */
export function takenAtOf(file: string): Date | undefined {
  const [, year, month, day, hour, minute, second] = NAME_PATTERN.exec(file) ?? []
  return year ? new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) : undefined
}

export async function* listVault({ storage, prefix }: Vault) {
  for await (const { key, size } of storage.list(prefix + ARCHIVES)) {
    const file = key.slice(prefix.length)
    const takenAt = takenAtOf(file)
    if (takenAt) yield { file, size, takenAt }
  }
}

/** Deletes partial files of killed runs. Leaves other files alone, because `doctor` may be testing the storage. */
export async function sweepVault({ storage, prefix }: Vault): Promise<void> {
  for (const ours of [ARCHIVES, COPIES]) await storage.sweep(prefix + ours)
}
