import {
  applyImport,
  cancelImport,
  checkImport,
  deleteImport,
  type ImportDetail,
  listImportRows,
  listImports,
  previewUndo,
  readImport,
  readImportColumns,
  undoImport,
  uploadImport,
} from '@limber/contract/imports/import.ts'
import type { ImportResource } from '@limber/contract/imports/import-kinds.ts'
import { deleteImportMap, listImportMaps, saveImportMap } from '@limber/contract/imports/import-map.ts'
import type { ImportState } from '@limber/contract/imports/import-values.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import type { SendOptions } from '#platform/api/request.ts'

/** The live topic `imports` refreshes it. */
export const importsKey = ['imports']

const params = (id: number) => ({ id: String(id) })

const running: ReadonlySet<ImportState> = new Set(['checking', 'applying', 'undoing'])
export const isRunning = ({ state }: { state: ImportState }) => running.has(state)

/** Live messages can be lost, so a running import is also asked for now and then. */
const POLL_MS = 2_000

export const importQuery = (id: number) =>
  queryOptions({
    queryKey: [...importsKey, 'one', id],
    queryFn: ({ signal }) => send(readImport, { params: params(id) }, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isRunning(data) ? POLL_MS : false),
  })

type ListQuery = NonNullable<InputOf<typeof listImports>['query']>

export const importListQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: [...importsKey, 'list', query],
    queryFn: ({ signal }) => send(listImports, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

/** They do not change, but a new map can appear among the choices. */
export const columnsQuery = (id: number, map: string) =>
  queryOptions({
    queryKey: ['import-columns', id, map],
    queryFn: ({ signal }) => send(readImportColumns, { params: params(id), query: map ? { map } : {} }, { signal }),
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  })

type RowsQuery = NonNullable<InputOf<typeof listImportRows>['query']>

export const rowsQuery = (id: number, query: RowsQuery) =>
  queryOptions({
    queryKey: [...importsKey, 'rows', id, query],
    queryFn: ({ signal }) => send(listImportRows, { params: params(id), query }, { signal }),
    placeholderData: keepPreviousData,
  })

export const uploadFile = (resource: ImportResource, file: File, options: SendOptions) =>
  send(uploadImport, { body: { resource, file } }, options)

/** A change of one import. Its reply shows at once; lists follow. */
function useImportChange<Input>(id: number, change: (input: Input) => Promise<ImportDetail>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (reply) => {
      cache.setQueryData(importQuery(id).queryKey, reply)
      void cache.invalidateQueries({ queryKey: importsKey })
    },
  })
}

export const useCheck = (id: number) =>
  useImportChange(id, (body: InputOf<typeof checkImport>['body']) => send(checkImport, { params: params(id), body }))

export const useApply = (id: number) =>
  useImportChange(id, (tell_people: boolean) => send(applyImport, { params: params(id), body: { tell_people } }))

export const useCancel = (id: number) => useImportChange(id, () => send(cancelImport, { params: params(id) }))

/** What an undo would do at this moment. */
export const readUndoPreview = (id: number) => send(previewUndo, { params: params(id) })

export const useUndo = (id: number) => useImportChange(id, () => send(undoImport, { params: params(id) }))

export function useDelete() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => send(deleteImport, { params: params(id) }),
    onSuccess: ({ id }) => {
      cache.removeQueries({ queryKey: importQuery(id).queryKey })
      void cache.invalidateQueries({ queryKey: [...importsKey, 'list'] })
    },
  })
}

/** A change of the saved maps. They are choices of every file. */
function useMapChange<Input, Reply>(change: (input: Input) => Promise<Reply>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => cache.invalidateQueries({ queryKey: ['import-columns'] }),
  })
}

export const useSaveMap = () =>
  useMapChange((body: InputOf<typeof saveImportMap>['body']) => send(saveImportMap, { body }))

export const useDeleteMap = () => useMapChange((id: number) => send(deleteImportMap, { params: params(id) }))

/** Saves the map under its new name before the old one is deleted, so that it is never lost. */
export const useRenameMap = (resource: ImportResource) =>
  useMapChange(async ({ id, name }: { id: number; name: string }) => {
    const { maps } = await send(listImportMaps, { query: { resource } })
    const map = maps.find((one) => one.id === id)
    // Gone meanwhile: the refusal says so.
    if (!map) return send(deleteImportMap, { params: params(id) })
    const saved = await send(saveImportMap, { body: { resource, name, columns: map.columns, dates: map.dates } })
    await send(deleteImportMap, { params: params(id) })
    return saved
  })
