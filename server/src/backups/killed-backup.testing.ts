import { Transform } from 'node:stream'
import { readConfig } from '#platform/config.ts'
import { makeJobRunner } from '#platform/jobs/jobs.ts'
import type { Storage } from '#platform/storage/storage.ts'
import { startServer } from '../serve.ts'
import { backupJobs } from './backups.jobs.ts'

// A separate process that writes part of a backup and never finishes. The test kills it.
const { services } = await startServer(readConfig(process.env), { withJobs: false })
const { storage } = services
const halting: Storage = {
  ...storage,
  put(key, content, options) {
    const halt = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        this.push(chunk)
        if (chunk.length > 100) process.stdout.write('writing\n')
        else done()
      },
    })
    return storage.put(key, Buffer.isBuffer(content) ? content : content.pipe(halt), options)
  },
}
const runner = makeJobRunner({ ...services, storage: halting }, backupJobs, [])
await runner.start()
await runner.send(services.db, 'backup', { id: Number(process.env.BACKUP_ID) })
