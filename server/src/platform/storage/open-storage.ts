import type { Config } from '../config.ts'
import type { Storage } from './storage.ts'
import { diskStorage } from './storage-disk.ts'

/** Disk, or S3 when a bucket is configured. The S3 client is large, so it is loaded only then. */
export async function makeStorage(config: Pick<Config, 's3' | 'storagePath'>): Promise<Storage> {
  if (!config.s3) return diskStorage(config.storagePath)
  const { s3Storage } = await import('./storage-s3.ts')
  return s3Storage(config.s3)
}
