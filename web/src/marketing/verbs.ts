import { IconSpeakerphone, IconUserPlus } from '@tabler/icons-react'
import { hrefDoing } from '#platform/routing/intent.ts'
import { hrefTo } from '#platform/routing/links.ts'
import { eachTo, idIn, idOf, type RecentKind, type Verb } from '#platform/routing/verbs.ts'
import { findLeads } from './finders.ts'

const onLead = eachTo(findLeads, (lead) => hrefTo('/growth/conversion', { lead }))

const sayAssign = async (id: number, worker?: string) =>
  (await import('./leads/lead-sentences.ts')).assignSentence(id, worker)

const TO_WORKER = /^(.*?)\s*\bto\s+(.+)$/i

/** Leads to assign, with the worker after `to` if that was typed: `ana to kenji`. */
const findToAssign: NonNullable<Verb['options']> = async (text, signal) => {
  const [, name = text, worker] = TO_WORKER.exec(text) ?? []
  const found = await findLeads(name, signal)
  return found.map((item) => ({ ...item, sentence: () => sayAssign(idOf(item), worker) }))
}

const lead = (
  id: string,
  title: string,
  permission: Verb['permission'],
  calls: string[],
  words?: string,
  more: Partial<Verb> = {},
): Verb => ({
  id,
  title,
  ...(words && { words }),
  permission,
  icon: IconUserPlus,
  screen: '/growth/conversion',
  calls: calls.map((call) => call.replace(' ', ' /api/marketing/leads')),
  of: 'lead',
  options: onLead,
  ...more,
})

export const marketingRecents: readonly RecentKind[] = [
  {
    of: 'lead',
    prefix: 'lead',
    permission: 'growth.tab',
    icon: IconUserPlus,
    hrefOf: (lead) => hrefTo('/growth/conversion', { lead }),
  },
]

export const marketingVerbs: readonly Verb[] = [
  {
    id: 'lead-new',
    title: 'New lead',
    permission: 'leads.create',
    icon: IconUserPlus,
    screen: '/growth/conversion',
    calls: ['POST /api/marketing/leads'],
    run: (go) => go(hrefDoing('/growth/conversion', 'new')),
  },
  lead('lead-assign', 'Assign lead…', 'growth.tab', ['PATCH /:id/assignee'], 'hand over', {
    options: findToAssign,
    current: (search) => {
      const id = idIn(search, 'lead')
      if (id === undefined) return undefined
      return { id: `lead-${id}`, title: 'this lead', run: () => undefined, sentence: () => sayAssign(id) }
    },
  }),
  lead('lead-status', 'Change lead…', 'growth.tab', ['PATCH /:id', 'PATCH /status'], 'status contacted lost'),
  lead('lead-note', 'Add note to lead…', 'growth.tab', ['POST /:id/notes']),
  lead('lead-merge', 'Merge lead…', 'growth.tab', ['POST /:id/merge'], 'duplicate'),
  lead('lead-convert', 'Convert lead…', 'leads.convert', ['POST /:id/convert', 'POST /:id/convert/undo']),
  {
    id: 'campaign-new',
    title: 'New campaign',
    words: 'ad meta',
    permission: 'campaigns.create',
    icon: IconSpeakerphone,
    screen: '/growth/campaigns',
    calls: ['POST /api/campaigns'],
    run: (go) => go(hrefDoing('/growth/campaigns', 'new')),
  },
  {
    id: 'campaign-change',
    title: 'Change campaigns',
    words: 'pause resume complete status push edit',
    permission: 'campaigns.edit',
    icon: IconSpeakerphone,
    screen: '/growth/campaigns',
    calls: ['PATCH /api/campaigns/:id', 'PATCH /api/marketing/campaigns/:id/status', 'POST /api/campaigns/:id/push'],
    run: (go) => go(hrefTo('/growth/campaigns')),
  },
]
