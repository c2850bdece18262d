import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { downloadRecords } from '@limber/contract/imports/import.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { BYTE_ORDER_MARK } from '@limber/contract/kit/csv.ts'
import { downloadCsv, recordExport } from '#platform/exports/export.ts'
import { serve } from '#platform/http/routes.ts'
import type { ReadAll } from '#platform/sync/read-records.ts'
import { checkAllowed } from './may-import.ts'
import { writeRecords } from './write-records.ts'

/** How the records of each kind are read. */
export type FileReaders = () => ReadonlyMap<string, ReadAll>

export const recordFileRoutes = (readers: FileReaders) => [
  serve(downloadRecords, (context) => {
    const { query, db, worker, reply, now } = context
    const { resource } = query
    checkAllowed(downloadRecords, worker, resource)
    const read = readers().get(resource)
    if (!read) throw new Error(`${resource} cannot be read`)
    const name = resource.replace('/', '-')
    downloadCsv(reply, `${name}-${companyDay(now)}`)
    async function* lines() {
      let rows = 0
      let isComplete = false
      try {
        yield BYTE_ORDER_MARK
        for await (const part of writeRecords(db, resource, read as ReadAll)) {
          rows += part.rows
          yield part.text
          await setImmediate()
        }
        isComplete = true
      } finally {
        await recordExport(downloadRecords, context, name, rows, isComplete)
      }
    }
    return Readable.from(lines(), { objectMode: false, highWaterMark: 64 * 1024 })
  }),
]
