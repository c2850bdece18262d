import {
  applyImport,
  cancelImport,
  checkImport,
  deleteImport,
  type ImportDetail,
  listImportRows,
  listImports,
  readImport,
  readImportColumns,
  undoImport,
  uploadImport,
} from '@limber/contract/imports/import.ts'
import type { ImportResource } from '@limber/contract/imports/import-kinds.ts'
import { saveImportMap } from '@limber/contract/imports/import-map.ts'
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

export function useSaveMap() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof saveImportMap>['body']) => send(saveImportMap, { body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['import-columns'] }),
  })
}
