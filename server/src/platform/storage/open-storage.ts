import type { Config } from '../config.ts'
import type { Storage } from './storage.ts'
import { diskStorage } from './storage-disk.ts'

/** Disk unless a bucket is configured; the bucket's client is large and loaded only then. */
export async function makeStorage(config: Pick<Config, 's3' | 'storagePath'>): Promise<Storage> {
  if (!config.s3) return diskStorage(config.storagePath)
  const { s3Storage } = await import('./storage-s3.ts')
  return s3Storage(config.s3)
}
