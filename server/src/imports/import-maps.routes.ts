import {
  deleteImportMap,
  listImportMaps,
  MAX_MAPS,
  type SavedMap,
  saveImportMap,
} from '@limber/contract/imports/import-map.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { UnreadableFile } from './file/decode-file.ts'
import { countMaps, findMap, findMaps, type MapRecord, removeMap, saveMap } from './import-maps.queries.ts'
import { matchColumns } from './match-columns.ts'
import { allowedResources, checkAllowed } from './may-import.ts'

const presentMap = ({ id, resource, name, columns, dates, worker_name, created_at }: MapRecord): SavedMap => ({
  id,
  resource,
  name,
  columns,
  dates,
  saved_by: worker_name,
  saved_at: created_at.toISOString(),
})

export const importMapRoutes = [
  serve(listImportMaps, async ({ query: { resource }, worker, db }) => {
    const allowed = allowedResources(worker).filter((each) => resource === undefined || each === resource)
    return { maps: (await findMaps(db, allowed)).map(presentMap) }
  }),

  serve(saveImportMap, async ({ body: { dates = null, ...map }, worker, db, now, audit, publish }) => {
    checkAllowed(saveImportMap, worker, map.resource)
    try {
      matchColumns(map.resource, Object.keys(map.columns), map.columns)
    } catch (error) {
      if (error instanceof UnreadableFile)
        throw refuse(saveImportMap, 'bad_columns', { values: { text: error.message } })
      throw error
    }
    if ((await countMaps(db)) >= MAX_MAPS) throw refuse(saveImportMap, 'too_many')
    const { id } = await saveMap(db, { ...map, dates, created_by: worker.workerId, created_at: now })
    const saved = await findMap(db, id)
    if (!saved) throw new Error('The map was not saved')
    const { resource, name } = map
    audit({ action: 'import_map_saved', subject: 'import_map', subjectId: id, after: { resource, name } })
    publish('imports')
    return presentMap(saved)
  }),

  serve(deleteImportMap, async ({ params, worker, db, audit, publish }) => {
    const map = await findMap(db, params.id)
    if (!map) throw refuse(deleteImportMap, 'not_found')
    checkAllowed(deleteImportMap, worker, map.resource)
    await removeMap(db, map.id)
    const { resource, name } = map
    audit({ action: 'import_map_deleted', subject: 'import_map', subjectId: map.id, before: { resource, name } })
    publish('imports')
    return { id: map.id }
  }),
]
