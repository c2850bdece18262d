import type { ReplyInputOf } from '@limber/contract/kit/call.ts'
import { Id } from '@limber/contract/kit/values.ts'
import { bulkUploadAssets, MAX_FILES, UploadQuality, uploadAsset } from '@limber/contract/training/assets/asset.ts'
import { Key } from '@limber/contract/training/values.ts'
import { refuse } from '#platform/http/refusal.ts'
import { type Caller, type Context, serve } from '#platform/http/routes.ts'
import {
  BadUpload,
  discard,
  discardUncommitted,
  type ReceivedFile,
  type ReceivedForm,
  receiveFiles,
} from '#platform/uploads/receive-files.ts'
import { isWithinQuota, makeQuotaCounter } from '#platform/uploads/upload-quota.ts'
import { presentAsset } from './asset.present.ts'
import { findAsset, findTarget, insertAsset } from './asset.queries.ts'
import { storageKey } from './files.ts'

type Asset = ReturnType<typeof presentAsset>
type UploadCall = typeof uploadAsset | typeof bulkUploadAssets

const MB = 1024 * 1024

/** The refusal for a file that was not accepted. */
function refusalOf(call: UploadCall, { fault, kind }: ReceivedFile) {
  if (!fault) return undefined
  return refuse(call, fault, { values: { kind: kind?.plural ?? 'Files', limit: (kind?.limit ?? 0) / MB } })
}

function readFields(call: UploadCall, { fields }: ReceivedForm) {
  const bad = (text: string) => refuse(call, 'bad_field', { values: { text } })
  for (const name of fields.keys())
    if (!['course_key', 'quality', 'lesson_id'].includes(name)) throw bad(`Unknown field "${name.slice(0, 40)}".`)
  const quality = UploadQuality.safeParse(fields.get('quality') || 'high')
  if (!quality.success) throw bad('The quality must be low, medium or high.')
  const key = fields.get('course_key') || undefined
  if (key !== undefined && !Key.safeParse(key).success) throw refuse(call, 'no_course')
  const lesson = fields.get('lesson_id')
  if (lesson && !/^\d{1,15}$/.test(lesson)) throw bad('The lesson must be a number.')
  const lessonId = lesson ? Id.safeParse(Number(lesson)) : undefined
  if (lessonId && !lessonId.success) throw bad('The lesson must be a number.')
  return { quality: quality.data, courseKey: key, lessonId: lessonId?.data }
}

/** Receives the form and puts its files into storage; throws a refusal and leaves nothing behind on failure. */
async function receive(call: UploadCall, { request, worker, services, now }: Context<UploadCall>, maxFiles: number) {
  const sent = Number(request.raw.headers['content-length'] ?? 0)
  if (!(await isWithinQuota(services.db, worker.workerId, sent, now))) throw refuse(call, 'quota', { retryAfter: 3600 })
  try {
    const part = call === uploadAsset ? 'file' : 'files'
    const { storage } = services
    return await receiveFiles(request.raw, {
      isFile: (name) => name === part,
      maxFiles,
      storage,
      keyOf: storageKey,
      spend: makeQuotaCounter(services, worker.workerId),
    })
  } catch (error) {
    if (error instanceof BadUpload) {
      if (error.code === 'quota') throw refuse(call, 'quota', { retryAfter: 3600 })
      if (error.code === 'too_many_files')
        throw call === uploadAsset ? refuse(uploadAsset, 'one_file') : refuse(bulkUploadAssets, 'too_many_files')
      throw refuse(call, 'malformed')
    }
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw refuse(call, 'storage_full')
    throw error
  }
}

type Assets = ReadonlyMap<ReceivedFile, Asset>

/** Creates the records of the files in one transaction and replies. If refused or repeated, the files are deleted. */
async function saveFiles<C extends UploadCall>(
  call: C,
  context: Context<C>,
  form: ReceivedForm,
  toReply: (assets: Assets) => ReplyInputOf<C>,
) {
  const { services, once } = context
  const worker = context.worker as Caller
  try {
    const { quality, courseKey, lessonId } = readFields(call, form)
    if (call === uploadAsset && courseKey === undefined)
      throw refuse(call as UploadCall, 'bad_field', { values: { text: 'Select a course for the file.' } })
    const { reply, isRepeat } = await once(form.fingerprint, async ({ db, now, audit, publish }) => {
      const target = await findTarget(db, courseKey, lessonId)
      if (courseKey !== undefined && target.courseId === null) throw refuse(call as UploadCall, 'no_course')
      if (lessonId !== undefined && target.lessonId === null) throw refuse(call as UploadCall, 'no_lesson')
      const ids = new Map<ReceivedFile, number>()
      for (const received of form.files) {
        if (!received.staged) continue
        const id = await insertAsset(db, { file: received.staged, quality, ...target, workerId: worker.workerId, now })
        ids.set(received, id)
        const { name, filename, kind, finalSize } = received.staged
        audit({
          action: 'asset_uploaded',
          subject: 'asset',
          subjectId: id,
          after: { name, filename, mime: kind.mime, bytes: finalSize },
        })
      }
      if (ids.size > 0) publish('training', { course: courseKey })
      const assets = new Map<ReceivedFile, Asset>()
      for (const [received, id] of ids) {
        const row = await findAsset(db, id)
        if (row) assets.set(received, presentAsset(row))
      }
      return toReply(assets)
    })
    if (isRepeat) await discard(services.storage, form.files, storageKey)
    return reply
  } catch (error) {
    await discardUncommitted(error, services.storage, form.files, storageKey)
    throw error
  }
}

function reportEach(files: readonly ReceivedFile[], assets: Assets) {
  const results = files.map((file) => {
    const asset = assets.get(file) ?? null
    return {
      filename: file.filename,
      success: asset !== null,
      error: refusalOf(bulkUploadAssets, file)?.text ?? null,
      asset,
    }
  })
  const failed = results.filter(({ success }) => !success)
  return {
    success: failed.length === 0,
    error: failed.length === 0 ? null : failed.map(({ filename, error }) => `${filename}: ${error}`).join(' '),
    assets: [...assets.values()],
    results,
  }
}

export const uploadRoutes = [
  serve(
    uploadAsset,
    async (context) => {
      const form = await receive(uploadAsset, context as unknown as Context<UploadCall>, 1)
      const [file] = form.files
      const fault = file && refusalOf(uploadAsset, file)
      if (fault) throw fault
      if (!file) throw refuse(uploadAsset, 'no_file')
      return saveFiles(uploadAsset, context, form, (assets) => {
        const asset = assets.get(file)
        if (!asset) throw refuse(uploadAsset, 'no_file')
        return { success: true, asset }
      })
    },
    { transaction: 'none' },
  ).expecting({ training_assets_course_id_fkey: 'no_course', training_assets_lesson_id_fkey: 'no_lesson' }),

  serve(
    bulkUploadAssets,
    async (context) => {
      const form = await receive(bulkUploadAssets, context as unknown as Context<UploadCall>, MAX_FILES)
      if (form.files.length === 0) throw refuse(bulkUploadAssets, 'no_file')
      return saveFiles(bulkUploadAssets, context, form, (assets) => reportEach(form.files, assets))
    },
    { transaction: 'none' },
  ).expecting({ training_assets_course_id_fkey: 'no_course', training_assets_lesson_id_fkey: 'no_lesson' }),
]
