import type { InputOf } from '@limber/contract/kit/call.ts'
import {
  type Adjustment,
  type AuditResult,
  checkDiscrepancies,
  fixDiscrepancies,
  listAdjustments,
  previewFix,
  runAudit,
  undoFix,
} from '@limber/contract/payroll/audit/audit.ts'
import { explainEntry } from '@limber/contract/payroll/audit/explanation.ts'
import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { send } from '#platform/api/api.ts'
import { useLive } from '#platform/live/live.ts'
import type { TablePage } from '#ui/table/data-table.tsx'
import { payrollKey } from '../payroll.api.ts'

export interface AuditRange {
  startDate: string
  endDate: string
}

export interface AuditProgress {
  done: number
  total: number
}

/** Runs the audit for a range on mount and on request, and reports its progress. */
export function useAudit(range: AuditRange) {
  const [progress, setProgress] = useState<AuditProgress | null>(null)
  const progressId = useRef('')
  useLive('payroll.audit', (message) => {
    if (message.progressId !== progressId.current) return
    setProgress({ done: Number(message.done), total: Number(message.total) })
  })
  const query = useQuery({
    queryKey: [...payrollKey, 'audit', range],
    queryFn: ({ signal }) => {
      progressId.current = crypto.randomUUID()
      setProgress(null)
      return send(runAudit, { body: { ...range, progressId: progressId.current } }, { signal })
    },
    placeholderData: keepPreviousData,
    // An audit is expensive; returning to the window does not rerun it.
    refetchOnWindowFocus: false,
    staleTime: 0,
  })
  return { query, progress }
}

export const explanationQuery = (id: number) =>
  queryOptions({
    queryKey: [...payrollKey, 'explanation', id],
    queryFn: ({ signal }) => send(explainEntry, { params: { id: String(id) } }, { signal }),
  })

const HOUR = 3_600_000

/** The server runs the check at most once an hour, for all users together. */
export const checkQuery = queryOptions({
  queryKey: [...payrollKey, 'check'],
  queryFn: ({ signal }) => send(checkDiscrepancies, {}, { signal }),
  refetchInterval: HOUR,
})

export type LineRef = NonNullable<InputOf<typeof previewFix>['body']['exclude']>[number]

/** Preview of a fix. The server refuses it if the reviewed figures have changed. */
export const previewQuery = (seen: AuditResult, exclude: readonly LineRef[]) =>
  queryOptions({
    // Outside the payroll key on purpose: invalidation after a fix would preview what was just fixed.
    queryKey: ['payroll-fix-preview', seen.period_start, seen.period_end, seen.run_at, exclude],
    queryFn: ({ signal }) => send(previewFix, { body: { ...seen, exclude: [...exclude] } }, { signal }),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: false,
    gcTime: 0,
  })

export function useFix() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof fixDiscrepancies>['body']) => send(fixDiscrepancies, { body }),
    onSuccess: () => void cache.invalidateQueries({ queryKey: payrollKey }),
  })
}

export function useUndo() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: InputOf<typeof undoFix>['body']) => send(undoFix, { body }),
    onSettled: () => void cache.invalidateQueries({ queryKey: payrollKey }),
  })
}

export const adjustmentsQuery = (query: NonNullable<InputOf<typeof listAdjustments>['query']>) =>
  queryOptions({
    queryKey: [...payrollKey, 'adjustments', query],
    queryFn: ({ signal }) => send(listAdjustments, { query }, { signal }),
    select: ({ adjustments, pagination }): TablePage<Adjustment> => ({
      rows: adjustments,
      totalItems: pagination.totalItems,
    }),
    placeholderData: keepPreviousData,
  })
