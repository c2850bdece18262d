import { listBackups, readBackup, startBackup, verifyBackup } from '@limber/contract/backups/backup.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'

/** Prefix of all backup queries. The live topic `backups` invalidates it. */
export const backupsKey = ['backups']

// Live updates report progress. Polling covers work whose process was lost.
const POLL_INTERVAL = 10_000

export const backupsQuery = (page: number, limit: number) =>
  queryOptions({
    queryKey: [...backupsKey, 'list', { page, limit }],
    queryFn: ({ signal }) => send(listBackups, { query: { page: String(page), limit: String(limit) } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.underWay ? POLL_INTERVAL : false),
  })

export const backupQuery = (id: number) =>
  queryOptions({
    queryKey: [...backupsKey, 'one', id],
    queryFn: ({ signal }) => send(readBackup, { params: { id: String(id) } }, { signal }),
    enabled: id > 0,
  })

export const readAlarm = async (signal: AbortSignal) =>
  (await send(listBackups, { query: { limit: '1' } }, { signal })).alarm

export function useStartBackup() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => send(startBackup, { body: {} }),
    onSettled: () => cache.invalidateQueries({ queryKey: backupsKey }),
  })
}

export function useVerifyBackup() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => send(verifyBackup, { params: { id: String(id) }, body: {} }),
    onSettled: () => cache.invalidateQueries({ queryKey: backupsKey }),
  })
}
