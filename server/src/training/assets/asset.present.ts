import type { Asset } from '@limber/contract/training/assets/asset.ts'
import { FILES_PATH } from '@limber/contract/training/values.ts'
import type { AssetRecord, UseRecord } from './asset.queries.ts'

export const presentAsset = (row: AssetRecord): Asset => ({
  id: row.id,
  type: row.type,
  filename: row.filename,
  url: FILES_PATH + row.name,
  course_key: row.course_key,
  lesson_id: row.lesson_id,
  metadata: {
    finalSize: row.final_size,
    originalSize: row.original_size,
    mimeType: row.mime_type,
    quality: row.quality,
    width: row.width,
    height: row.height,
    duration: row.duration,
    pages: row.pages,
  },
  usedIn: row.uses,
  uploaded_by: row.uploaded_by,
  created_at: row.created_at.toISOString(),
})

export const presentUse = ({ is_live, ...use }: UseRecord) => ({ ...use, isLive: is_live })
