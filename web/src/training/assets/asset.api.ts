import {
  type Asset,
  type AssetType,
  bulkUploadAssets,
  deleteAsset,
  listAssets,
  readAssetUsage,
  uploadAsset,
} from '@limber/contract/training/asset.ts'
import { queryOptions } from '@tanstack/react-query'
import { type SendOptions, send } from '#platform/api.ts'
import { named } from '../failed-to.ts'
import { trainingKey, useTrainingChange } from '../training.api.ts'

export const assetsQuery = (filter: { course_key: string; search: string; type: AssetType | null; page: number }) =>
  queryOptions({
    queryKey: [...trainingKey, 'assets', filter],
    // A list that cannot be read is an empty one, and says so beside it.
    queryFn: ({ signal }) =>
      named('load files', send(listAssets, { body: { ...filter, limit: 50 } }, { signal }), signal),
    placeholderData: (before) => before,
  })

export const usageQuery = (asset_id: number) =>
  queryOptions({
    queryKey: [...trainingKey, 'usage', asset_id],
    queryFn: ({ signal }) => send(readAssetUsage, { body: { asset_id } }, { signal }),
    select: ({ data }) => data,
  })

export const useDeleteAsset = () =>
  useTrainingChange((body: { asset_id: number; even_if_used: boolean }) =>
    named('delete asset', send(deleteAsset, { body })),
  )

interface Target {
  course_key: string
  lesson_id?: number
}

/** Uploads one file; what the server keeps comes back. */
export const uploadOne = async (target: Target, file: File, options: SendOptions): Promise<Asset> =>
  (await send(uploadAsset, { body: { ...target, quality: 'high', file } }, options)).asset

export const uploadMany = (target: Target, files: File[], options: SendOptions) =>
  send(bulkUploadAssets, { body: { ...target, quality: 'high', files } }, options)
