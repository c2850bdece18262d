import { IconBuildingCommunity, IconListCheck, IconMail, IconShare3, IconUsersGroup } from '@tabler/icons-react'
import { hrefTo } from '#platform/routing/links.ts'
import { eachTo, type Verb } from '#platform/routing/verbs.ts'
import { findPartners } from './partners/finders.ts'

const team = { permission: 'growth.tab', screen: '/growth/team' } as const
const onPartner = eachTo(findPartners, (partner) => hrefTo('/growth/business', { partner }))

export const growthVerbs: readonly Verb[] = [
  {
    ...team,
    id: 'task-new',
    title: 'Assign task',
    words: 'new city to-do',
    icon: IconListCheck,
    calls: ['POST /api/marketing/tasks', 'PATCH /api/marketing/tasks/:id'],
    run: (go) => go(hrefTo('/growth/team', { dialog: 'task' })),
  },
  {
    ...team,
    id: 'campaign-assign',
    title: 'Assign campaign',
    icon: IconUsersGroup,
    calls: ['POST /api/marketing/team/campaigns/:id/members'],
    run: (go) => go(hrefTo('/growth/team', { dialog: 'campaign' })),
  },
  {
    id: 'referral-review',
    title: 'Review referrals',
    words: 'suspicious approve reject',
    permission: 'growth.people',
    icon: IconShare3,
    screen: '/growth/referrals',
    calls: ['POST /api/marketing/referrals/people/:id/review'],
    run: (go) => go(hrefTo('/growth/referrals')),
  },
  {
    id: 'partner-change',
    title: 'Change partner…',
    words: 'renewal stage note',
    permission: 'growth.tab',
    icon: IconBuildingCommunity,
    screen: '/growth/business',
    calls: ['PATCH /api/marketing/partner/businesses/:id', 'POST /api/marketing/partner/businesses/:id/notes'],
    options: onPartner,
  },
  {
    id: 'partner-email',
    title: 'Email partners',
    words: 'outreach',
    permission: 'growth.tab',
    icon: IconMail,
    screen: '/growth/business',
    calls: ['POST /api/marketing/partner/send-email'],
    run: (go) => go(hrefTo('/growth/business')),
  },
]
