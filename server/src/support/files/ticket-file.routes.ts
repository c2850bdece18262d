import {
  listDraftFiles,
  MAX_MESSAGE_BYTES,
  MAX_MESSAGE_FILES,
  readTicketFile,
  removeTicketFile,
  uploadTicketFile,
} from '@limber/contract/support/files/ticket-file.ts'
import type { Db } from '#platform/db/db.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Context, serve } from '#platform/http/routes.ts'
import { sendFile } from '#platform/http/send-file.ts'
import { HEAD } from '#platform/uploads/detect-type.ts'
import {
  BadUpload,
  discard,
  discardUncommitted,
  type ReceivedForm,
  receiveFiles,
} from '#platform/uploads/receive-files.ts'
import { isWithinQuota, makeQuotaCounter } from '#platform/uploads/upload-quota.ts'
import { lockTicket } from '../tickets/ticket.queries.ts'
import { deleteFilesAfterCommit } from './files.jobs.ts'
import { fileKey, inspectFile, readAll, scanFile } from './store-file.ts'
import { presentFile } from './ticket-file.present.ts'
import { type FileRow, findDraftFiles, findFile, insertDraftFile, removeDraftFile } from './ticket-file.queries.ts'

type Upload = Context<typeof uploadTicketFile>

/** Files of any type are taken. Their content decides later how they are served. */
const anyFile = {
  type: 'other',
  mime: 'application/octet-stream',
  extension: 'bin',
  limit: MAX_MESSAGE_BYTES,
  plural: 'Files',
} as const

async function lockOpen(db: Db, id: number) {
  const ticket = await lockTicket(db, id)
  if (!ticket) throw refuse(uploadTicketFile, 'not_found')
  if (ticket.merged_into_id) throw refuse(uploadTicketFile, 'merged', { values: { into: ticket.merged_into_id } })
}

/** Whether a message can have another file of this size. */
function checkRoom(drafts: readonly FileRow[], bytes: number) {
  if (drafts.length >= MAX_MESSAGE_FILES) throw refuse(uploadTicketFile, 'too_many_files')
  const used = drafts.reduce((sum, draft) => sum + draft.bytes, 0)
  if (used + bytes > MAX_MESSAGE_BYTES) throw refuse(uploadTicketFile, 'too_large')
}

async function receive({ request, worker, services, now }: Upload): Promise<ReceivedForm> {
  const sent = Number(request.raw.headers['content-length'] ?? 0)
  const quota = () => refuse(uploadTicketFile, 'quota', { retryAfter: 3600 })
  if (!(await isWithinQuota(services.db, worker.workerId, sent, now))) throw quota()
  try {
    return await receiveFiles(request.raw, {
      isFile: (name) => name === 'file',
      maxFiles: 1,
      storage: services.storage,
      keyOf: fileKey,
      as: anyFile,
      fields: { max: 0, bytes: 0 },
      spend: makeQuotaCounter(services, worker.workerId),
    })
  } catch (error) {
    if (error instanceof BadUpload) {
      if (error.code === 'quota') throw quota()
      throw refuse(uploadTicketFile, error.code === 'too_many_files' ? 'one_file' : 'malformed')
    }
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC')
      throw refuse(uploadTicketFile, 'storage_full')
    throw error
  }
}

/** What an uploaded file is, by its content, and whether it is clean. */
async function examine({ services }: Upload, name: string, bytes: number) {
  const key = fileKey(name)
  const open = async (end = bytes - 1) => {
    const content = await services.storage.get(key, { start: 0, end })
    if (!content) throw new Error('The uploaded file is not in the storage')
    return content
  }
  const verdict = await scanFile(services, () => open())
  if (verdict.state === 'infected')
    throw refuse(uploadTicketFile, 'infected', { values: { virus: verdict.virus ?? 'a virus' } })
  const head = await readAll(await open(Math.min(HEAD, bytes - 1)))
  return { ...(await inspectFile(head, async () => readAll(await open()))), ...verdict }
}

async function upload(context: Upload) {
  const { params, services, worker, once } = context
  const draft = { ticketId: params.id, workerId: worker.workerId }
  checkRoom(await findDraftFiles(services.db, draft), 1)
  const form = await receive(context)
  try {
    const [file] = form.files
    if (file?.fault === 'empty_file') throw refuse(uploadTicketFile, 'empty_file')
    if (file?.fault === 'too_large') throw refuse(uploadTicketFile, 'too_large')
    if (!file?.staged) throw refuse(uploadTicketFile, 'no_file')
    const { name, filename, finalSize: bytes } = file.staged
    const facts = await examine(context, name, bytes)
    const { reply, isRepeat } = await once(form.fingerprint, async ({ db, now, audit }) => {
      // The lock makes concurrent uploads see each other.
      await lockOpen(db, params.id)
      checkRoom(await findDraftFiles(db, draft), bytes)
      const made = { name, filename, bytes, role: 'attachment', content_id: null, ...facts } as const
      const row = await insertDraftFile(db, draft, made, now)
      const after = { type: row.mime_type, bytes }
      audit({ action: 'ticket_file_added', subject: 'ticket', subjectId: params.id, after })
      return presentFile(row)
    })
    if (isRepeat) await discard(services.storage, form.files, fileKey)
    return reply
  } catch (error) {
    await discardUncommitted(error, services.storage, form.files, fileKey)
    throw error
  }
}

/** Types that browsers show safely. Everything else is sent as bytes without a meaning. */
const isShown = ({ mime_type, width }: FileRow) => mime_type === 'application/pdf' || width !== null

export const ticketFileRoutes = [
  serve(uploadTicketFile, upload, { transaction: 'none' }),

  serve(listDraftFiles, async ({ params, db, worker }) =>
    (await findDraftFiles(db, { ticketId: params.id, workerId: worker.workerId })).map(presentFile),
  ),

  serve(removeTicketFile, async ({ params, db, worker, audit, enqueue }) => {
    const removed = await removeDraftFile(db, params.id, worker.workerId)
    if (!removed) throw refuse(removeTicketFile, 'not_found')
    deleteFilesAfterCommit({ enqueue }, removed.name === null ? [] : [removed.name])
    audit({ action: 'ticket_file_removed', subject: 'ticket', subjectId: removed.ticket_id ?? 0 })
    return { success: true }
  }),

  serve(readTicketFile, async ({ params, query, request, reply, worker, services: { db, storage } }) => {
    const row = await findFile(db, params.id, worker.workerId)
    if (row?.state === 'unscanned') throw refuse(readTicketFile, 'unscanned')
    const mime = row && (isShown(row) || row.mime_type === 'text/plain') ? row.mime_type : 'application/octet-stream'
    return sendFile({
      file: row?.name ? { key: fileKey(row.name), filename: row.filename, mime, bytes: row.bytes } : undefined,
      storage,
      isDownload: query.download !== undefined,
      isShown: row !== undefined && isShown(row),
      request,
      reply,
      refusal: (code) => refuse(readTicketFile, code),
    })
  }),
]
