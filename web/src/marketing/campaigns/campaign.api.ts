import { readCitySummary } from '@limber/contract/growth/map/city.ts'
import {
  type CampaignDetail,
  type CampaignQuery,
  createCampaign,
  type EditCampaign,
  editCampaign,
  listCampaigns,
  pushCampaign,
  readCampaign,
  setCampaignStatus,
} from '@limber/contract/marketing/campaigns/campaign.ts'
import type { CampaignStatus } from '@limber/contract/marketing/campaigns/campaign-values.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import type { SendOptions } from '#platform/api/request.ts'
import { withFallbackMessage } from '#platform/api/with-fallback-message.ts'

/** Prefix of all campaign query keys. The live topic `campaigns` invalidates it. */
export const campaignsKey = ['campaigns']

export const campaignsQuery = (query: CampaignQuery) =>
  queryOptions({
    queryKey: [...campaignsKey, 'list', query],
    queryFn: ({ signal }) => send(listCampaigns, { query }, { signal }),
    placeholderData: keepPreviousData,
  })

const paramsOf = (id: number) => ({ params: { id: String(id) } })

export const campaignQuery = (id: number) =>
  queryOptions({
    queryKey: [...campaignsKey, 'one', id],
    queryFn: async ({ signal }) => (await send(readCampaign, paramsOf(id), { signal })).campaign,
  })

/** The figures of a zone or city over 30 days. */
export const placeQuery = (place: string) =>
  queryOptions({
    queryKey: [...campaignsKey, 'place', place],
    queryFn: ({ signal }) => send(readCitySummary, { query: { place } }, { signal }),
  })

/** A mutation that invalidates all campaign lists and figures. */
function useCampaignChange<Input, Reply>(change: (input: Input) => Promise<Reply>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => cache.invalidateQueries({ queryKey: campaignsKey }),
  })
}

export type CampaignForm = Record<string, unknown>

export const useCreateCampaign = () =>
  useCampaignChange(({ form, onProgress }: { form: CampaignForm } & Pick<SendOptions, 'onProgress'>) =>
    withFallbackMessage(
      'Failed to create campaign',
      send(createCampaign, { body: form }, onProgress ? { onProgress } : {}),
    ),
  )

export const useEditCampaign = (id: number) =>
  useCampaignChange(
    async (body: EditCampaign): Promise<CampaignDetail> =>
      (await send(editCampaign, { ...paramsOf(id), body })).campaign,
  )

export const useSetCampaignStatus = (id: number) =>
  useCampaignChange((body: { status: CampaignStatus; version: number }) =>
    send(setCampaignStatus, { ...paramsOf(id), body }),
  )

export const usePushCampaign = (id: number) => useCampaignChange(() => send(pushCampaign, paramsOf(id)))
