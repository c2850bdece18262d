import {
  type AuditRow,
  listAudit,
  listAuditTerms,
  readAuditEntry,
  verifyAudit,
} from '@limber/contract/access/audit/audit.ts'
import { changeLimits, type Limits, readLimits } from '@limber/contract/access/limits/limits.ts'
import {
  changePermissions,
  correctWorker,
  disableWorker,
  enableWorker,
  endWorkerSessions,
  inviteWorker,
  listRecoveries,
  listWorkers,
  readWorker,
  resendLink,
  revokeLink,
  showLink,
  type WorkerDetail,
} from '@limber/contract/access/workers/worker.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { currentOf } from '#platform/api/call-failure.ts'

/** The prefix of all access queries. The live topic `access` invalidates it. */
export const accessKey = ['access']
const workerKey = (id: number) => [...accessKey, 'worker', id]

type WorkerFilter = NonNullable<InputOf<typeof listWorkers>['query']>
type RecoveryFilter = NonNullable<InputOf<typeof listRecoveries>['query']>
type AuditFilter = NonNullable<InputOf<typeof listAudit>['query']>

export const workersQuery = (query: WorkerFilter) =>
  queryOptions({
    queryKey: [...accessKey, 'workers', query],
    queryFn: ({ signal }) => send(listWorkers, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

export const workerQuery = (id: number) =>
  queryOptions({
    queryKey: workerKey(id),
    queryFn: async ({ signal }) => (await send(readWorker, { params: { id: String(id) } }, { signal })).worker,
  })

export const recoveriesQuery = (query: RecoveryFilter) =>
  queryOptions({
    queryKey: [...accessKey, 'recoveries', query],
    queryFn: ({ signal }) => send(listRecoveries, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

export const auditQuery = (query: AuditFilter) =>
  queryOptions({
    queryKey: [...accessKey, 'audit', query],
    queryFn: ({ signal }) => send(listAudit, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

/** One entry, taken from the loaded rows when possible. Entries never change. */
export const auditEntryQuery = (id: number, loaded: readonly AuditRow[]) =>
  queryOptions({
    queryKey: ['audit entry', id],
    queryFn: async ({ signal }) => (await send(readAuditEntry, { params: { id: String(id) } }, { signal })).entry,
    initialData: loaded.find((entry) => entry.id === id),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const auditTermsQuery = queryOptions({
  queryKey: [...accessKey, 'terms'],
  queryFn: ({ signal }) => send(listAuditTerms, {}, { signal }),
})

export const useVerifyChain = () => useMutation({ mutationFn: () => send(verifyAudit, { body: {} }) })

/** A change to one worker. Both the reply and a version conflict carry the current worker. */
function useWorkerChange<Input>(change: (input: Input) => Promise<{ worker: WorkerDetail }>) {
  const cache = useQueryClient()
  const store = (worker: WorkerDetail) => cache.setQueryData(workerKey(worker.id), worker)
  return useMutation({
    mutationFn: change,
    onSuccess: ({ worker }) => void store(worker),
    onError: (error) => {
      const current = currentOf<typeof changePermissions>(error)
      if (current) store(current)
    },
    onSettled: () => cache.invalidateQueries({ queryKey: accessKey }),
  })
}

const idOf = (id: number) => ({ id: String(id) })

export const limitsQuery = queryOptions({
  queryKey: [...accessKey, 'limits'],
  queryFn: ({ signal }) => send(readLimits, {}, { signal }),
})

export function useChangeLimits() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Limits) => send(changeLimits, { body }),
    onSuccess: (limits) => client.setQueryData(limitsQuery.queryKey, limits),
  })
}

export const useInvite = () =>
  useWorkerChange((body: InputOf<typeof inviteWorker>['body']) => send(inviteWorker, { body }))
export const useChangePermissions = (id: number) =>
  useWorkerChange((body: InputOf<typeof changePermissions>['body']) =>
    send(changePermissions, { params: idOf(id), body }),
  )
export const useCorrect = (id: number) =>
  useWorkerChange((body: InputOf<typeof correctWorker>['body']) => send(correctWorker, { params: idOf(id), body }))
export const useDisable = (id: number) =>
  useWorkerChange((body: InputOf<typeof disableWorker>['body']) => send(disableWorker, { params: idOf(id), body }))

const quickChanges = { enableWorker, endWorkerSessions, resendLink, revokeLink }
export type QuickChange = keyof typeof quickChanges

/** Changes that need no input. */
export const useQuickChange = (id: number) =>
  useWorkerChange((which: QuickChange) => send(quickChanges[which], { params: idOf(id), body: {} }))

/** A new onboarding link. It is only in this reply, so it is not cached. */
export function useShowLink(id: number) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => send(showLink, { params: idOf(id), body: {} }),
    gcTime: 0,
    onSettled: () => cache.invalidateQueries({ queryKey: accessKey }),
  })
}
