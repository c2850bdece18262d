import { z } from 'zod'
import { defineCall } from '#kit/call.ts'
import { Id, IdText, Line, Moment } from '#kit/values.ts'
import { importPermissions } from './import-permissions.ts'
import { Dates, FieldsByHeader, Resource } from './import-values.ts'

/** A column map that somebody saved. */
export const SavedMap = z.object({
  id: Id,
  resource: Resource,
  name: z.string(),
  /** The field of each column, by its header. */
  columns: z.record(z.string(), z.string()),
  dates: Dates.nullable(),
  saved_by: z.string().nullable(),
  saved_at: Moment,
})
export type SavedMap = z.infer<typeof SavedMap>

export const MAX_MAPS = 200

export const listImportMaps = defineCall({
  method: 'GET',
  path: '/api/import-maps',
  summary: 'List the saved column maps that the caller may use, by name',
  permission: importPermissions,
  query: z.strictObject({ resource: Resource.optional() }),
  reply: z.object({ maps: z.array(SavedMap) }),
})

export const saveImportMap = defineCall({
  method: 'POST',
  path: '/api/import-maps',
  summary: 'Save a column map; one of the same kind and name is replaced',
  permission: importPermissions,
  body: z.strictObject({ resource: Resource, name: Line(100), columns: FieldsByHeader, dates: Dates.nullish() }),
  reply: SavedMap,
  refusals: {
    not_allowed: [403, 'You may not import {what}.'],
    bad_columns: [422, '{text}'],
    too_many: [409, 'There are already 200 saved maps. Delete one first.'],
  },
})

export const deleteImportMap = defineCall({
  method: 'DELETE',
  path: '/api/import-maps/:id',
  summary: 'Delete a saved column map',
  permission: importPermissions,
  params: z.strictObject({ id: IdText }),
  reply: z.object({ id: Id }),
  refusals: {
    not_found: [404, 'This map does not exist.'],
    not_allowed: [403, 'You may not import {what}.'],
  },
})
