import { paginate } from '@limber/contract/kit/page.ts'
import { deleteAsset, listAssets, readAssetUsage, readFile } from '@limber/contract/training/assets/asset.ts'
import { containing } from '#platform/db/like.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { sendFile } from '#platform/http/send-file.ts'
import { presentAsset, presentUse } from './asset.present.ts'
import { findAsset, findAssets, findFile, findUses, lockAsset, removeAsset } from './asset.queries.ts'
import { deleteFilesAfterCommit, storageKey } from './files.ts'

const countLessons = (count: number) => (count === 1 ? '1 lesson' : `${count} lessons`)

export const assetRoutes = [
  serve(listAssets, async ({ body: { lesson_id, course_key, type, search, page, limit }, db }) => {
    const { total, rows } = await findAssets(db, {
      lessonId: lesson_id ?? undefined,
      courseKey: course_key ?? undefined,
      type: type ?? undefined,
      pattern: search.trim() === '' ? undefined : containing(search.trim()),
      limit,
      offset: (page - 1) * limit,
    })
    return { success: true, assets: rows.map(presentAsset), pagination: paginate(page, limit, total) }
  }),

  serve(readAssetUsage, async ({ body: { asset_id }, db }) => {
    if (!(await findAsset(db, asset_id))) throw refuse(readAssetUsage, 'not_found')
    return { data: (await findUses(db, asset_id)).map(presentUse) }
  }),

  serve(deleteAsset, async ({ body: { asset_id, even_if_used }, db, audit, publish, enqueue }) => {
    const asset = await lockAsset(db, asset_id)
    if (!asset) throw refuse(deleteAsset, 'not_found')
    if (asset.uses > 0 && !even_if_used)
      throw refuse(deleteAsset, 'in_use', { values: { where: countLessons(asset.uses) } })
    await removeAsset(db, asset_id)
    deleteFilesAfterCommit({ enqueue }, [asset.name])
    const { name, filename, course_key, uses } = asset
    audit({
      action: 'asset_deleted',
      subject: 'asset',
      subjectId: asset_id,
      before: { name, filename, course_key, uses },
    })
    publish('training', { course: course_key })
    return { success: true, data: { asset_id, usedIn: uses } }
  }),

  serve(readFile, async ({ params, query, request, reply, services: { db, storage } }) => {
    const row = await findFile(db, params.name)
    return sendFile({
      file: row && { key: storageKey(row.name), filename: row.filename, mime: row.mime_type, bytes: row.final_size },
      storage,
      isDownload: query.download !== undefined,
      request,
      reply,
      refusal: (code) => refuse(readFile, code),
    })
  }),
]
