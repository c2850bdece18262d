import { companyDay, weekStartOf } from '@limber/contract/kit/company.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import { IconBuilding, IconCalendarPlus, IconCalendarShare, IconMap } from '@tabler/icons-react'
import { now } from '#platform/clock.ts'
import { hrefDoing } from '#platform/routing/intent.ts'
import { hrefTo } from '#platform/routing/links.ts'
import { eachTo, type PaletteItem, type RecentKind, type Verb } from '#platform/routing/verbs.ts'
import { splitStart } from '#platform/words.ts'
import { findBusinesses } from './finders.ts'

const common = {
  permission: 'businesses.manage',
  icon: IconBuilding,
  screen: '/worker/managing/businesses',
} as const
const onBusiness = eachTo(findBusinesses, (business) => hrefTo('/worker/managing/businesses', { business }))

/**
 * Unused blocks by the name of their business, with the start if it was typed: `Riverside next Tuesday 9`. A day alone also
 * offers its week. Without a block, the business.
 */
const findToSchedule: Verb['options'] = async (text, signal, session) => {
  const { rest, day } = splitStart(text, companyDay(now()))
  const { findBlocks } = await import('./sessions/schedule-sentences.ts')
  const blocks = await findBlocks(rest, day ? text.trim().slice(rest.length).trim() : '', signal)
  const found = blocks.length > 0 || rest === '' ? blocks : await onBusiness(rest, signal, session)
  if (!day) return found
  const week: PaletteItem = {
    id: 'week',
    title: `Plan the week of ${formatDay(weekStartOf(day), { now: now() })}`,
    detail: formatDay(day, { now: now(), hasWeekday: true }),
    icon: IconCalendarPlus,
    run: (go) => go(hrefTo('/worker/managing/businesses/sessions', { week: day })),
  }
  return rest === '' ? [week, ...found] : [...found, week]
}
const record = (id: string, title: string, calls: string[], words?: string): Verb => ({
  ...common,
  id,
  title,
  ...(words && { words }),
  calls: calls.map((call) => `POST /api/${call}`),
  of: 'business',
  options: onBusiness,
})

export const businessRecents: readonly RecentKind[] = [
  {
    of: 'business',
    prefix: 'business',
    permission: 'businesses.manage',
    icon: IconBuilding,
    hrefOf: (business) => hrefTo('/worker/managing/businesses', { business }),
  },
]

export const businessVerbs: readonly Verb[] = [
  {
    ...common,
    id: 'business-new',
    title: 'New business',
    calls: ['POST /api/businesses/create'],
    run: (go) => go(hrefDoing('/worker/managing/businesses', 'new')),
  },
  {
    ...record('session-schedule', 'Schedule session at…', ['onsite/activate-block'], 'on-site book plan'),
    of: 'block',
    options: findToSchedule,
  },
  record(
    'session-change',
    'Move or cancel session at…',
    ['onsite/reschedule', 'onsite/change-stretcher', 'onsite/cancel', 'onsite/not-held'],
    'reschedule stretcher',
  ),
  record(
    'block-new',
    'Add prepaid block for…',
    ['businesses/blocks/create', 'businesses/blocks/update', 'businesses/blocks/delete'],
    'hours',
  ),
  record(
    'business-change',
    'Change business…',
    ['businesses/update', 'businesses/archive', 'businesses/restore', 'businesses/delete'],
    'archive restore delete',
  ),
  record(
    'business-emails',
    'Change allowed emails of…',
    ['businesses/emails/update', 'businesses/emails/upload', 'businesses/emails/delete', 'businesses/emails/reset'],
    'employees upload',
  ),
  {
    ...common,
    id: 'calendar-link',
    title: 'Make a calendar link',
    words: 'feed ics subscribe',
    icon: IconCalendarShare,
    screen: '/worker/managing/businesses/sessions',
    calls: ['POST /api/onsite/feeds', 'POST /api/onsite/feeds/:id/revoke'],
    run: (go) => go(hrefDoing('/worker/managing/businesses/sessions', 'links')),
  },
  {
    ...common,
    id: 'calendar',
    title: 'Go to the week of on-site sessions',
    words: 'calendar schedule plan date',
    icon: IconCalendarPlus,
    screen: '/worker/managing/businesses/sessions',
    calls: [],
    run: (go) => go(hrefTo('/worker/managing/businesses/sessions')),
  },
  {
    ...common,
    id: 'zone-new',
    title: 'New zone',
    words: 'change delete area map',
    icon: IconMap,
    screen: '/worker/managing/zones',
    calls: ['POST /api/zones/create', 'POST /api/zones/update', 'POST /api/zones/delete'],
    run: (go) => go(hrefTo('/worker/managing/zones', { zone: 'new' })),
  },
]
