import type { InputOf } from '@limber/contract/kit/call.ts'
import {
  assignLead,
  convertLead,
  createLead,
  editLead,
  type LeadDetail,
  listLeadCampaigns,
  listLeads,
  listLeadWorkers,
  noteLead,
  readLead,
  type SetLeadStatus,
  setLeadStatus,
  undoConversion,
} from '@limber/contract/marketing/leads/lead.ts'
import { readLeadAnalytics, readLeadFunnel } from '@limber/contract/marketing/leads/lead-analytics.ts'
import { type MergeLeads, mergeLeads } from '@limber/contract/marketing/leads/lead-merge.ts'
import type { LeadRange } from '@limber/contract/marketing/leads/lead-range.ts'
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { useRecordChange } from '#platform/api/record-change.ts'

/** Prefix of all lead query keys. The live topic `leads` invalidates it. */
export const leadsKey = ['leads']
const leadKey = (id: number) => [...leadsKey, 'one', id]

export type LeadListQuery = NonNullable<InputOf<typeof listLeads>['query']>

export const leadsQuery = (query: LeadListQuery) =>
  queryOptions({
    queryKey: [...leadsKey, 'list', query],
    queryFn: ({ signal }) => send(listLeads, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

export const leadQuery = (id: number) =>
  queryOptions({
    queryKey: leadKey(id),
    queryFn: async ({ signal }) => (await send(readLead, { body: { leadId: id } }, { signal })).lead,
  })

export const leadWorkersQuery = queryOptions({
  queryKey: [...leadsKey, 'workers'],
  queryFn: ({ signal }) => send(listLeadWorkers, {}, { signal }),
})

export const leadCampaignsQuery = queryOptions({
  queryKey: [...leadsKey, 'campaigns'],
  queryFn: ({ signal }) => send(listLeadCampaigns, {}, { signal }),
})

export const analyticsQuery = (timeRange: LeadRange) =>
  queryOptions({
    queryKey: [...leadsKey, 'analytics', timeRange],
    queryFn: ({ signal }) => send(readLeadAnalytics, { query: { timeRange } }, { signal }),
  })

export const funnelQuery = (timeRange: LeadRange) =>
  queryOptions({
    queryKey: [...leadsKey, 'funnel', timeRange],
    queryFn: ({ signal }) => send(readLeadFunnel, { query: { timeRange } }, { signal }),
    placeholderData: keepPreviousData,
  })

const useLeadChange = <Input>(change: (input: Input) => Promise<LeadDetail>) =>
  useRecordChange<typeof editLead, Input>(change, ({ id }) => leadKey(id), leadsKey)

const paramsOf = (id: number) => ({ params: { id: String(id) } })

export const useCreateLead = () =>
  useLeadChange(async (body: InputOf<typeof createLead>['body']) => (await send(createLead, { body })).lead)

export const useEditLead = (id: number) =>
  useLeadChange(
    async (body: InputOf<typeof editLead>['body']) => (await send(editLead, { ...paramsOf(id), body })).lead,
  )

export const useSetStatus = () =>
  useLeadChange(async (body: SetLeadStatus) => (await send(setLeadStatus, { body })).lead)

export const useConvert = (id: number) => useLeadChange(async () => (await send(convertLead, paramsOf(id))).lead)

export const useUndoConversion = (id: number) =>
  useLeadChange(async () => (await send(undoConversion, paramsOf(id))).lead)

export const useNote = (id: number) =>
  useLeadChange((body: { note: string; workerId: number }) => send(noteLead, { ...paramsOf(id), body }))

export const useAssign = (id: number) =>
  useLeadChange(
    async (body: InputOf<typeof assignLead>['body']) => (await send(assignLead, { ...paramsOf(id), body })).lead,
  )

/** Merges two leads. The cache entry of the duplicate then shows the kept lead. */
export function useMergeLeads() {
  const cache = useQueryClient()
  return useLeadChange(async ({ keptId, ...body }: MergeLeads & { keptId: number }) => {
    const { lead } = await send(mergeLeads, { ...paramsOf(keptId), body })
    cache.setQueryData(leadKey(body.duplicateId), lead)
    return lead
  })
}
