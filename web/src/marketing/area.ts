import { IconFilterCheck, IconSpeakerphone } from '@tabler/icons-react'
import type { Area, PaletteSource, Section, TodaySource } from '#platform/routing/sections.ts'

declare module '#platform/routing/links.ts' {
  interface LinkTargets {
    '/growth/conversion': typeof import('./leads/lead-search.ts').LeadSearch
    '/growth/campaigns': typeof import('./campaigns/campaign-search.ts').CampaignSearch
  }
}

const sections: readonly Section[] = [
  {
    tab: 'growth',
    page: 'growth',
    title: 'Conversion',
    path: '/growth/conversion',
    icon: IconFilterCheck,
    permission: 'growth.tab',
    order: 30,
    load: () => import('./leads/leads.screen.tsx'),
  },
  {
    tab: 'growth',
    page: 'growth',
    title: 'Campaigns',
    path: '/growth/campaigns',
    icon: IconSpeakerphone,
    permission: 'growth.tab',
    order: 50,
    load: () => import('./campaigns/campaigns.screen.tsx'),
  },
]

const paletteSources: readonly PaletteSource[] = [
  {
    id: 'leads',
    title: 'Leads',
    permission: 'growth.tab',
    find: async (text, signal) => (await import('./finders.ts')).findLeads(text, signal),
  },
]

const todaySources: readonly TodaySource[] = [
  {
    id: 'leads',
    what: 'waiting leads',
    permission: 'growth.tab',
    group: 'needs',
    topic: 'leads',
    find: async (signal) => (await import('./finders.ts')).findWaitingLeads(signal),
  },
]

export const marketingArea: Area = { sections, paletteSources, todaySources }
