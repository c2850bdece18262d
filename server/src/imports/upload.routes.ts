import { MAX_IMPORT_BYTES, uploadImport } from '@limber/contract/imports/import.ts'
import { Resource } from '@limber/contract/imports/import-values.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Context, serve } from '#platform/http/routes.ts'
import {
  BadUpload,
  discard,
  discardUncommitted,
  type ReceivedForm,
  receiveFiles,
} from '#platform/uploads/receive-files.ts'
import { isWithinQuota, makeQuotaCounter } from '#platform/uploads/upload-quota.ts'
import { UnreadableFile } from './file/decode-file.ts'
import { inspectFile } from './file/inspect-file.ts'
import { presentDetail } from './import.present.ts'
import { fileKey } from './import-files.ts'
import { findImport, findUnfinished, insertImport } from './imports.queries.ts'
import { checkAllowed } from './may-import.ts'

const csv = {
  type: 'document',
  mime: 'application/octet-stream',
  extension: 'csv',
  limit: MAX_IMPORT_BYTES,
  plural: 'Files',
} as const

async function receive({ request, worker, services, now }: Context<typeof uploadImport>): Promise<ReceivedForm> {
  const sent = Number(request.raw.headers['content-length'] ?? 0)
  if (!(await isWithinQuota(services.db, worker.workerId, sent, now)))
    throw refuse(uploadImport, 'quota', { retryAfter: 3600 })
  try {
    return await receiveFiles(request.raw, {
      isFile: (name) => name === 'file',
      maxFiles: 1,
      storage: services.storage,
      keyOf: fileKey,
      as: csv,
      spend: makeQuotaCounter(services, worker.workerId),
    })
  } catch (error) {
    if (error instanceof BadUpload) {
      if (error.code === 'quota') throw refuse(uploadImport, 'quota', { retryAfter: 3600 })
      throw refuse(uploadImport, error.code === 'too_many_files' ? 'one_file' : 'malformed')
    }
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw refuse(uploadImport, 'storage_full')
    throw error
  }
}

function readResource({ fields }: ReceivedForm) {
  const bad = (text: string) => refuse(uploadImport, 'bad_field', { values: { text } })
  for (const name of fields.keys()) if (name !== 'resource') throw bad(`Unknown field "${name.slice(0, 40)}".`)
  const resource = Resource.safeParse(fields.get('resource'))
  if (!resource.success) throw bad('Say what is in the file.')
  return resource.data
}

/** Stores the file and reads it once: what is no table is refused, and nothing of it stays. */
export const uploadRoutes = [
  serve(
    uploadImport,
    async (context) => {
      const { services, worker, once } = context
      const form = await receive(context)
      try {
        const [file] = form.files
        if (file?.fault === 'empty_file') throw refuse(uploadImport, 'empty_file')
        if (file?.fault === 'too_large') throw refuse(uploadImport, 'too_large')
        const { staged, digest } = file ?? {}
        if (!staged || digest === undefined) throw refuse(uploadImport, 'no_file')
        const resource = readResource(form)
        checkAllowed(uploadImport, worker, resource)
        const key = fileKey(staged.name)
        const facts = await inspectFile(async () => {
          const stored = await services.storage.get(key)
          if (!stored) throw new Error('The uploaded file is not in the storage')
          return stored
        })
        const { reply, isRepeat } = await once(form.fingerprint, async ({ db, now, audit, publish }) => {
          const other = await findUnfinished(db, digest, resource)
          if (other !== undefined) throw refuse(uploadImport, 'under_way', { values: { id: other } })
          const { id } = await insertImport(db, {
            resource,
            source: 'import',
            file_name: staged.filename,
            file_key: key,
            file_bytes: staged.finalSize,
            file_digest: digest,
            encoding: facts.encoding,
            delimiter: facts.delimiter,
            row_count: facts.rows,
            profile: facts.columns,
            created_by: worker.workerId,
            created_at: now,
          })
          audit({ action: 'import_uploaded', subject: 'import', subjectId: id, after: { resource, rows: facts.rows } })
          publish('imports', { id })
          const row = await findImport(db, id)
          if (!row) throw new Error('The import was not saved')
          return presentDetail(db, row, now)
        })
        if (isRepeat) await discard(services.storage, form.files, fileKey)
        return reply
      } catch (error) {
        if (error instanceof UnreadableFile) {
          await discard(services.storage, form.files, fileKey)
          throw refuse(uploadImport, 'unreadable', { values: { text: error.message } })
        }
        await discardUncommitted(error, services.storage, form.files, fileKey)
        throw error
      }
    },
    { transaction: 'none' },
  ),
]
