import { IconStretching } from '@tabler/icons-react'
import { hrefTo } from '#platform/routing/links.ts'
import { eachTo, type RecentKind, type Verb } from '#platform/routing/verbs.ts'
import { findStretchers } from './finders.ts'

const common = {
  permission: 'businesses.manage',
  icon: IconStretching,
  screen: '/worker/managing/stretchers',
} as const
const onStretcher = eachTo(findStretchers, (stretcher) => hrefTo('/worker/managing/stretchers', { stretcher }))
const record = (id: string, title: string, call: string): Verb => ({
  ...common,
  id,
  title,
  of: 'stretcher',
  calls: [call],
  options: onStretcher,
})

export const stretcherRecents: readonly RecentKind[] = [
  {
    of: 'stretcher',
    prefix: 'stretcher',
    permission: 'businesses.manage',
    icon: IconStretching,
    hrefOf: (stretcher) => hrefTo('/worker/managing/stretchers', { stretcher }),
  },
]

export const stretcherVerbs: readonly Verb[] = [
  {
    ...common,
    id: 'stretcher-new',
    title: 'Add stretcher',
    words: 'new hire onboard',
    calls: ['POST /api/stretchers/onboard-stretcher'],
    run: (go) => go(hrefTo('/worker/managing/stretchers', { mode: 'create' })),
  },
  {
    ...common,
    id: 'stretcher-promote',
    title: 'Make a customer a stretcher',
    words: 'promote hire',
    calls: ['POST /api/stretchers/promote-to-stretcher'],
    run: (go) => go(hrefTo('/worker/managing/stretchers', { mode: 'promote' })),
  },
  record('stretcher-change', 'Change stretcher…', 'PATCH /api/stretchers/:id'),
  record('stretcher-train', 'Finish training of…', 'POST /api/stretchers/:id/finish-training'),
  record('stretcher-off', 'Deactivate stretcher…', 'POST /api/stretchers/:id/deactivate'),
  record('stretcher-on', 'Activate stretcher…', 'POST /api/stretchers/:id/activate'),
]
