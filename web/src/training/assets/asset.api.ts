import {
  type Asset,
  type AssetType,
  type BulkUpload,
  bulkUploadAssets,
  deleteAsset,
  listAssets,
  MAX_FILES,
  readAssetUsage,
  type UploadQuality,
  uploadAsset,
} from '@limber/contract/training/assets/asset.ts'
import { queryOptions } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { CallFailure } from '#platform/api/call-failure.ts'
import type { SendOptions } from '#platform/api/request.ts'
import { read, trainingKey, useTrainingCall } from '../training.api.ts'
import { tooLarge } from './too-large.ts'

export const assetsQuery = (filter: { course_key: string; search: string; type: AssetType | null; page: number }) =>
  queryOptions({
    queryKey: [...trainingKey, 'assets', filter],
    // A failed read is not an empty list: the library shows the error and offers to try again.
    queryFn: ({ signal }) => read('load files', listAssets, { ...filter, limit: 50 }, signal),
    placeholderData: (before) => before,
  })

/** The files of a lesson, used only for their names. A failed read counts as none. */
export const lessonFilesQuery = (lesson_id: number) =>
  queryOptions({
    queryKey: [...trainingKey, 'assets', lesson_id],
    queryFn: ({ signal }) => read('load files', listAssets, { lesson_id }, signal),
    select: ({ assets }) => assets,
  })

export const usageQuery = (asset_id: number) =>
  queryOptions({
    queryKey: [...trainingKey, 'usage', asset_id],
    queryFn: ({ signal }) => read('check file usage', readAssetUsage, { asset_id }, signal),
    select: ({ data }) => data,
  })

export const useDeleteAsset = () => useTrainingCall('delete asset', deleteAsset)

interface Target {
  course_key: string
  lesson_id?: number
  /** The quality at which images are re-encoded. */
  quality?: UploadQuality
}

/** Uploads one file; returns the stored asset. */
export async function uploadOne(target: Target, file: File, options: SendOptions): Promise<Asset> {
  const fault = tooLarge(file)
  if (fault) throw new CallFailure(413, { error: fault, code: 'too_large' })
  return (await send(uploadAsset, { body: { quality: 'high', ...target, file } }, options)).asset
}

/** Uploads several files. Files that are too large are reported without being sent. */
export async function uploadMany(target: Target, files: File[], options: SendOptions): Promise<BulkUpload['results']> {
  const [status, error] = bulkUploadAssets.refusals.too_many_files
  if (files.length > MAX_FILES) throw new CallFailure(status, { error, code: 'too_many_files' })
  const fit = files.filter((file) => !tooLarge(file))
  const sent =
    fit.length > 0
      ? (await send(bulkUploadAssets, { body: { quality: 'high', ...target, files: fit } }, options)).results
      : []
  const kept = files.flatMap((file) => {
    const fault = tooLarge(file)
    return fault ? [{ filename: file.name, success: false, error: fault, asset: null }] : []
  })
  return [...sent, ...kept]
}
