import { listPartners } from '@limber/contract/growth/partners/partner.ts'
import { IconBuildingCommunity } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { PaletteItem } from '#platform/routing/sections.ts'
import { statusLabels } from './labels.ts'

/** The first partners whose name, path or email contains the query. */
export async function findPartners(text: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const { businesses } = await send(listPartners, { query: { search: text, limit: '5' } }, { signal })
  return businesses.map(({ id, name, kind, status }) => ({
    id: `partner-${id}`,
    title: name,
    detail: statusLabels[status],
    icon: IconBuildingCommunity,
    run: (go) => go(hrefTo('/growth/business', { tab: kind, partner: id })),
  }))
}
