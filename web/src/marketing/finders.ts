import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { listLeads } from '@limber/contract/marketing/leads/lead.ts'
import { IconFilterCheck, IconUserPlus } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { PaletteItem, TodayItem } from '#platform/routing/sections.ts'
import { nameOf, statusLabels } from './leads/lead-labels.ts'

/** The five newest leads whose name, email or phone contains the text. */
export async function findLeads(text: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const { leads } = await send(listLeads, { query: { search: text, limit: '5' } }, { signal })
  return leads.map((lead) => ({
    id: `lead-${lead.id}`,
    title: nameOf(lead),
    detail: `${statusLabels[lead.status]} · ${lead.email ?? lead.phone ?? ''}`,
    icon: IconUserPlus,
    run: (go) => go(hrefTo('/growth/conversion', { lead: lead.id })),
  }))
}

/** New leads without a first response. */
export async function findWaitingLeads(signal: AbortSignal): Promise<TodayItem[]> {
  const { stats } = await send(listLeads, { query: { status: 'new', limit: '1' } }, { signal })
  if (stats.new === 0) return []
  return [
    {
      id: 'leads-waiting',
      need: 'waiting',
      title: `${pluralize(stats.new, 'lead is', 'leads are')} waiting for a first response`,
      path: hrefTo('/growth/conversion', { status: 'new' }),
      icon: IconFilterCheck,
      action: { label: 'Respond' },
    },
  ]
}
