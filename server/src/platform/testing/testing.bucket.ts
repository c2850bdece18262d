import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'

/** A small service that speaks S3, with a bucket `files`. */
export async function startBucketService() {
  const folder = await mkdtemp(join(tmpdir(), 'limber-s3-'))
  const service = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'files', configs: [] }],
  })
  const { port } = await service.run()
  return {
    port,
    async close() {
      await service.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
