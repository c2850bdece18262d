import { z } from 'zod'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination } from '#kit/page.ts'
import { Id, IdText, Moment } from '#kit/values.ts'
import { Key, success } from '../values.ts'

export const AssetType = z.enum(['image', 'video', 'audio', 'document', 'other'])
export type AssetType = z.infer<typeof AssetType>

export const UploadQuality = z.enum(['low', 'medium', 'high'])
export type UploadQuality = z.infer<typeof UploadQuality>

export const Asset = z.object({
  id: Id,
  type: AssetType,
  /** The name of the file on the uploader's device. */
  filename: z.string(),
  url: z.string(),
  course_key: z.string().nullable(),
  lesson_id: Id.nullable(),
  metadata: z.object({
    /** Sizes in bytes: as stored and as uploaded. */
    finalSize: z.int(),
    originalSize: z.int(),
    mimeType: z.string(),
    quality: UploadQuality,
    width: z.int().nullable(),
    height: z.int().nullable(),
    /** Seconds of video or audio; null if the file does not state it. */
    duration: z.number().nullable(),
    /** Pages of a PDF; null if they cannot be counted. */
    pages: z.int().nullable(),
  }),
  /** The number of lessons and courses that use the file. */
  usedIn: z.int(),
  uploaded_by: z.string().nullable(),
  created_at: Moment,
})
export type Asset = z.infer<typeof Asset>

const MB = 1024 * 1024
/** The size limit of each kind of file, in bytes, and its name in refusals. */
export const uploadLimits = {
  image: { maxBytes: 10 * MB, plural: 'Images' },
  audio: { maxBytes: 50 * MB, plural: 'Audio files' },
  pdf: { maxBytes: 25 * MB, plural: 'PDF files' },
  video: { maxBytes: 500 * MB, plural: 'Videos' },
  text: { maxBytes: 1 * MB, plural: 'Text files' },
  subtitles: { maxBytes: 1 * MB, plural: 'Subtitle files' },
} as const
export const MAX_FILES = 20
/** The `accept` value of a file input per asset type. Firefox does not recognize .ogg files as audio/ogg. */
export const acceptByType: Record<AssetType, string> = {
  image: 'image/jpeg,image/png,image/gif,image/webp',
  video: 'video/mp4,video/webm',
  audio: 'audio/mpeg,audio/ogg,audio/wav,.ogg',
  document: 'application/pdf,.txt,.md',
  other: '.vtt,text/vtt',
}
/** The `accept` value of a file input that takes any file the specification lists, plus subtitles. */
export const ACCEPT_ALL = Object.values(acceptByType).join(',')

/** File size in KB, as the specification shows it. */
export const kilobytes = (bytes: number) => Math.round(bytes / 1024)

// The largest video plus the form around it. A slightly larger file still gets a proper refusal.
const UPLOAD_LIMIT = 520 * MB
const uploadRefusals = {
  no_course: [404, 'This course does not exist.'],
  no_lesson: [404, 'This lesson does not belong to this course.'],
  no_file: [400, 'The upload contains no file.'],
  malformed: [400, 'The upload is malformed.'],
  bad_field: [400, '{text}'],
  empty_file: [422, 'The file is empty.'],
  wrong_type: [
    415,
    'This file type is not supported. Use JPEG, PNG, GIF, WebP, MP4, WebM, MP3, OGG, WAV, PDF, TXT, MD or VTT.',
  ],
  damaged: [422, 'The file is damaged, or its content does not match its name.'],
  too_large: [413, '{kind} can be at most {limit} MB.'],
  too_many_pixels: [422, 'The image is larger than 40 megapixels.'],
  quota: [429, 'You have reached the limit of 5 GB per day. Try again later.'],
  storage_full: [503, 'Storage is full. The file was not saved.'],
} as const

// The handler reads the multipart form from the stream.
const OneFile = z.custom<object>()
const Files = z.custom<readonly object[]>()

export const uploadAsset = defineCall({
  method: 'POST',
  path: '/api/training/assets/upload',
  summary: 'Upload one file for a course or lesson',
  permission: 'training.manage',
  bodyType: 'multipart',
  bodyLimit: UPLOAD_LIMIT,
  limit: { by: 'worker', times: 300, seconds: 600 },
  body: z.strictObject({
    course_key: Key,
    quality: UploadQuality.default('high'),
    lesson_id: Id.optional(),
    file: OneFile,
  }),
  reply: z.object({ success, asset: Asset }),
  refusals: { ...uploadRefusals, one_file: [400, 'Upload one file at a time.'] },
})

/** Files are handled independently: rejected files are named, the others are saved. */
export const bulkUploadAssets = defineCall({
  method: 'POST',
  path: '/api/training/assets/bulk-upload',
  summary: 'Upload up to 20 files, with a result for each',
  permission: 'training.manage',
  bodyType: 'multipart',
  bodyLimit: 5 * 1024 * MB,
  limit: { by: 'worker', times: 100, seconds: 600 },
  body: z.strictObject({
    course_key: Key.optional(),
    quality: UploadQuality.default('high'),
    lesson_id: Id.optional(),
    files: Files,
  }),
  reply: z.object({
    /** True if every file was saved. */
    success: z.boolean(),
    /** Messages about the files that were rejected. */
    error: z.string().nullable(),
    assets: z.array(Asset),
    results: z.array(
      z.object({ filename: z.string(), success: z.boolean(), error: z.string().nullable(), asset: Asset.nullable() }),
    ),
  }),
  refusals: { ...uploadRefusals, too_many_files: [413, 'You can upload at most 20 files at once.'] },
})
export type BulkUpload = ReplyOf<typeof bulkUploadAssets>

export const listAssets = defineCall({
  method: 'POST',
  path: '/api/training/assets/list',
  summary: 'List the files of a lesson, of a course, or all files, newest first',
  permission: 'training.manage',
  reads: true,
  body: z
    .strictObject({
      lesson_id: Id.nullish(),
      course_key: Key.nullish(),
      type: AssetType.nullish(),
      search: z.string().max(200).default(''),
      page: z.int().min(1).max(1_000_000).default(1),
      limit: z.int().min(1).max(200).default(100),
    })
    .prefault({}),
  reply: z.object({ success, assets: z.array(Asset), pagination: Pagination }),
})

export const exportAssets = exportCall(listAssets, 'training-files', {
  filters: {
    lesson_id: IdText.optional(),
    course_key: Key.optional(),
    type: AssetType.optional(),
    search: z.string().max(200).default(''),
  },
})

const noAsset = [404, 'This file does not exist.'] as const

export const readAssetUsage = defineCall({
  method: 'POST',
  path: '/api/training/assets/usage',
  summary: 'List the lessons and courses that use a file',
  permission: 'training.manage',
  reads: true,
  body: z.strictObject({ asset_id: Id }),
  reply: z.object({
    data: z.array(
      z.object({
        course_key: z.string(),
        course_title: z.string(),
        module_key: z.string(),
        module_title: z.string(),
        lesson_id: Id,
        lesson_title: z.string(),
        isLive: z.boolean(),
      }),
    ),
  }),
  refusals: { not_found: noAsset },
})

export const deleteAsset = defineCall({
  method: 'POST',
  path: '/api/training/assets/delete',
  summary: 'Delete a file; one that lessons use only when that is said',
  permission: 'training.manage',
  body: z.strictObject({ asset_id: Id, even_if_used: z.boolean().default(false) }),
  reply: z.object({ success, data: z.object({ asset_id: Id, usedIn: z.int() }) }),
  refusals: { not_found: noAsset, in_use: [409, 'This file is used in {where}. Deleting it breaks those places.'] },
})

/** Supports range requests. Images, video and audio are shown inline; everything else is downloaded. */
export const readFile = defineCall({
  method: 'GET',
  path: '/api/training/files/:name',
  summary: 'Download a file or a range of it',
  permission: 'training.manage',
  params: z.strictObject({ name: z.string().regex(/^[a-z0-9]{26}\.[a-z0-9]{2,4}$/, 'is not a valid file name') }),
  query: z.strictObject({
    /** Sends the file as a download under its original name. */
    download: z.literal('1').optional(),
  }),
  replyType: 'stream',
  reply: z.unknown(),
  refusals: { not_found: noAsset, bad_range: [416, 'The requested range is outside the file.'] },
})
