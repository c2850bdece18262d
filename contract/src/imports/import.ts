import { z } from 'zod'
import { Source } from '#kit/batch.ts'
import { defineCall, type ReplyOf } from '#kit/call.ts'
import { exportCall } from '#kit/export.ts'
import { Pagination, pageQuery } from '#kit/page.ts'
import { Id, IdText, Moment } from '#kit/values.ts'
import { importPermissions } from './import-permissions.ts'
import { Dates, FieldsByHeader, ImportState, Resource, RowOutcome, RowState } from './import-values.ts'

export const MAX_IMPORT_BYTES = 200 * 1024 * 1024

/** Rows by what is planned for them, and by what became of them. */
export const ImportCounts = z.object({
  create: z.int(),
  update: z.int(),
  unchanged: z.int(),
  skipped: z.int(),
  rejected: z.int(),
  changed_since: z.int(),
  /** Created and updated so far. */
  created: z.int(),
  updated: z.int(),
  /** Undone so far, and left by the undo because they changed after the import. */
  undone: z.int(),
  kept: z.int(),
  /** Values that the updates change. */
  values: z.int(),
})
export type ImportCounts = z.infer<typeof ImportCounts>

export const Import = z.object({
  id: Id,
  resource: Resource,
  source: z.string(),
  state: ImportState,
  file: z.object({
    name: z.string(),
    bytes: z.int(),
    rows: z.int(),
    encoding: z.enum(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']),
    delimiter: z.enum([',', ';', '\t']),
    /** False once the file was deleted. Then it can neither be checked nor applied. */
    is_kept: z.boolean(),
  }),
  /** Of the check, the apply or the undo that runs. */
  progress: z.object({ done: z.int(), total: z.int() }),
  counts: ImportCounts,
  /** What went wrong, when it failed. */
  error: z.string().nullable(),
  /** Email, texts, webhooks and wages follow from it as from any change. */
  tells_people: z.boolean(),
  created_by: z.string().nullable(),
  created_at: Moment,
  /** Of the last check, apply or undo. */
  started_at: Moment.nullable(),
  checked_at: Moment.nullable(),
  /** When the apply ended, also when it was canceled. */
  applied_at: Moment.nullable(),
  undone_at: Moment.nullable(),
  /** Set while it can be undone. */
  undo_until: Moment.nullable(),
})
export type Import = z.infer<typeof Import>

/** Why rows were skipped or rejected, the most frequent first. */
export const ImportReason = z.object({ state: RowState, reason: z.string(), count: z.int() })
export type ImportReason = z.infer<typeof ImportReason>

export const ImportDetail = Import.extend({
  /** The map of the last check. */
  columns: z.record(z.string(), z.string()).nullable(),
  dates: Dates.nullable(),
  reasons: z.array(ImportReason),
  /** The newest other import of the same file and kind that changed something. */
  same_file: z.object({ id: Id, state: ImportState, created_at: Moment }).nullable(),
})
export type ImportDetail = z.infer<typeof ImportDetail>

const notFound = [404, 'This import does not exist.'] as const
const notAllowed = [403, 'You may not import {what}.'] as const
const notOpen = { not_found: notFound, not_allowed: notAllowed } as const
const noFile = [409, 'The file of this import was deleted. Upload it again.'] as const
const ofImport = z.strictObject({ id: IdText })

export const listImports = defineCall({
  method: 'GET',
  path: '/api/imports',
  summary: 'List the imports of the kinds that the caller may import, newest first',
  permission: importPermissions,
  query: z.strictObject({
    ...pageQuery({ limit: 25 }),
    resource: Resource.optional(),
    state: ImportState.optional(),
  }),
  reply: z.object({ imports: z.array(Import), pagination: Pagination }),
})

export const exportImports = exportCall(listImports, 'imports')

export const readImport = defineCall({
  method: 'GET',
  path: '/api/imports/:id',
  summary: 'One import with its progress, its counts and the reasons of rejected rows',
  permission: importPermissions,
  params: ofImport,
  reply: ImportDetail,
  refusals: notOpen,
})

export const uploadImport = defineCall({
  method: 'POST',
  path: '/api/imports/upload',
  summary: 'Upload a CSV file of up to 200 MB to import; nothing is written yet',
  permission: importPermissions,
  bodyType: 'multipart',
  bodyLimit: MAX_IMPORT_BYTES + 1024 * 1024,
  limit: { by: 'worker', times: 100, seconds: 600 },
  // The handler reads the form from the stream.
  body: z.strictObject({ resource: Resource, file: z.custom<object>() }),
  reply: ImportDetail,
  refusals: {
    not_allowed: notAllowed,
    no_file: [400, 'The upload contains no file.'],
    one_file: [400, 'Upload one file at a time.'],
    malformed: [400, 'The upload is malformed.'],
    bad_field: [400, '{text}'],
    empty_file: [422, 'The file is empty.'],
    unreadable: [422, '{text}'],
    under_way: [409, 'Import {id} of the same file is not finished. Continue it, or cancel it first.'],
    too_large: [413, 'A file can have at most 200 MB. Split it and try again.'],
    quota: [429, 'You have reached the limit of 5 GB per day. Try again later.'],
    storage_full: [503, 'Storage is full. The file was not saved.'],
  },
})

/** How the dates of a column are written. */
const ColumnDates = z.object({
  /** Such as 2025-03-19, 03/04/2025, and Mar 4, 2025: the number of values of each form. */
  iso: z.int(),
  numeric: z.int(),
  named: z.int(),
  /** A date that can be read in two ways; null when there is none. */
  example: z.string().nullable(),
  /** `unclear`: the values fit both orders, or neither. Then `dates` must be sent with the check. */
  order: z.enum(['mdy', 'dmy', 'unclear']).nullable(),
})

/** What the server keeps about a column: no values but an ambiguous date. */
export interface ColumnProfile {
  header: string
  filled: number
  dates: z.infer<typeof ColumnDates> | null
}

/** A column of the file. */
export const ImportColumn = z.object({
  header: z.string(),
  /** Up to three different values; none once the file was deleted. */
  samples: z.array(z.string()),
  /** The share of rows that have a value, from 0 to 1. */
  filled: z.number(),
  /** The field that it probably goes to; null when none fits. */
  field: z.string().nullable(),
  /** How the field was found: by the map, by the header, or by the values. */
  found_by: z.enum(['map', 'header', 'values']).nullable(),
  /** How its dates are written; null for a column without dates. */
  dates: ColumnDates.nullable(),
})
export type ImportColumn = z.infer<typeof ImportColumn>

/** A column map to choose from. */
export const MapChoice = z.object({
  /** Sent as `map` to see the columns as this map matches them. */
  key: z.string(),
  label: z.string(),
  /** Columns of the file that it matches. */
  matches: z.int(),
  saved_by: z.string().nullable(),
  saved_at: Moment.nullable(),
})
export type MapChoice = z.infer<typeof MapChoice>

export const readImportColumns = defineCall({
  method: 'GET',
  path: '/api/imports/:id/columns',
  summary: 'The columns of the file with the fields they probably go to, by a map or guessed',
  permission: importPermissions,
  params: ofImport,
  query: z.strictObject({
    /** The key of a map, or `none` to guess. Default: the map that fits best. */
    map: z.string().max(100).optional(),
  }),
  reply: z.object({
    columns: z.array(ImportColumn),
    /** The map that was used; null when the columns were guessed. */
    map: z.string().nullable(),
    /** The order of day and month that the map states. */
    dates: Dates.nullable(),
    maps: z.array(MapChoice),
  }),
  refusals: { ...notOpen, no_map: [404, 'This map does not exist.'] },
})
export type ImportColumns = ReplyOf<typeof readImportColumns>

const busy = [409, 'This import is {state}.'] as const

export const checkImport = defineCall({
  method: 'POST',
  path: '/api/imports/:id/check',
  summary: 'Start the check that plans each row; nothing is written',
  permission: importPermissions,
  params: ofImport,
  body: z.strictObject({
    columns: FieldsByHeader,
    /** Needed when a date column is `unclear`. */
    dates: Dates.nullish(),
    /** The system that the IDs of the file belong to. */
    source: Source.default('import'),
  }),
  reply: ImportDetail,
  refusals: {
    ...notOpen,
    no_file: noFile,
    busy,
    bad_columns: [422, '{text}'],
    dates_unclear: [422, 'The dates in {column}, such as {example}, can be read in two ways. Say which one is meant.'],
  },
})

export const ImportRow = z.object({
  /** The line of the file on which the row begins. */
  line: z.int(),
  state: RowState,
  outcome: RowOutcome.nullable(),
  /** Whom or what the row is about, as the file says it. */
  subject: z.string().nullable(),
  record_id: Id.nullable(),
  /** The reason of a group, as in `reasons` of the import. */
  reason: z.string().nullable(),
  /** What exactly is wrong. */
  detail: z.string().nullable(),
  /** The label of the field that is wrong, and what the cell says. */
  field: z.string().nullable(),
  value: z.string().nullable(),
  /** What an update changes. */
  changes: z.array(z.object({ label: z.string(), before: z.string().nullable(), after: z.string().nullable() })),
})
export type ImportRow = z.infer<typeof ImportRow>

export const listImportRows = defineCall({
  method: 'GET',
  path: '/api/imports/:id/rows',
  summary: 'The rows of the plan by line',
  permission: importPermissions,
  params: ofImport,
  query: z.strictObject({
    ...pageQuery({ limit: 50, max: 200 }),
    state: RowState.optional(),
    outcome: RowOutcome.optional(),
    reason: z.string().max(300).optional(),
  }),
  reply: z.object({ rows: z.array(ImportRow), pagination: Pagination }),
  refusals: notOpen,
})

export const exportImportRows = exportCall(listImportRows, 'import-rows')

export const downloadRejected = defineCall({
  method: 'GET',
  path: '/api/imports/:id/rejected',
  summary: 'The rows that were not imported as CSV, as in the file, with a column that says why',
  permission: importPermissions,
  params: ofImport,
  reply: z.unknown(),
  replyType: 'stream',
  refusals: { ...notOpen, no_file: noFile },
})

export const downloadRecords = defineCall({
  method: 'GET',
  path: '/api/import-files',
  summary: 'All records of one kind as CSV, with the columns that Import takes',
  permission: 'access.manage',
  query: z.strictObject({ resource: Resource }),
  reply: z.unknown(),
  replyType: 'stream',
  refusals: { not_allowed: notOpen.not_allowed },
})

export const applyImport = defineCall({
  method: 'POST',
  path: '/api/imports/:id/apply',
  summary: 'Write what the check planned; more than 100 rows require a recent passkey confirmation',
  permission: importPermissions,
  params: ofImport,
  body: z.strictObject({
    /** Lets email, texts, webhooks and wages follow from it. */
    tell_people: z.boolean().default(false),
  }),
  reply: ImportDetail,
  refusals: {
    ...notOpen,
    no_file: noFile,
    busy,
    not_checked: [409, 'Check this import first.'],
    nothing: [409, 'The plan has no row to create or update.'],
  },
})

export const cancelImport = defineCall({
  method: 'POST',
  path: '/api/imports/:id/cancel',
  summary: 'Stop a check or an apply; what was written stays, and can be undone',
  permission: importPermissions,
  params: ofImport,
  reply: ImportDetail,
  refusals: {
    ...notOpen,
    not_running: [409, 'This import is not running.'],
  },
})

/** What an undo would do now. */
export const UndoPreview = z.object({
  removed: z.int(),
  restored: z.int(),
  /** Changed or deleted since the import. */
  kept: z.int(),
})
export type UndoPreview = z.infer<typeof UndoPreview>

export const previewUndo = defineCall({
  method: 'GET',
  path: '/api/imports/:id/undo',
  summary: 'Count what an undo would remove and restore, and what it would keep because it changed since',
  permission: importPermissions,
  params: ofImport,
  reply: UndoPreview,
  refusals: notOpen,
})

export const undoImport = defineCall({
  method: 'POST',
  path: '/api/imports/:id/undo',
  summary: 'Remove what an import created and restore what it changed; records changed since are kept and listed',
  permission: importPermissions,
  params: ofImport,
  reply: ImportDetail,
  refusals: {
    ...notOpen,
    busy,
    nothing: [409, 'This import has changed nothing that can be undone.'],
    too_late: [409, 'An import can be undone for 7 days.'],
  },
})

export const deleteImport = defineCall({
  method: 'DELETE',
  path: '/api/imports/:id',
  summary: 'Delete an import that wrote nothing, was undone, or can no longer be undone, with its file',
  permission: importPermissions,
  params: ofImport,
  reply: z.object({ id: Id }),
  refusals: {
    ...notOpen,
    busy,
    can_undo: [409, 'This import can still be undone. Undo it first, or wait until {until}.'],
  },
})
