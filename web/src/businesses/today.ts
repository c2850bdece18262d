import { listSoonSessions, listUncoveredSessions } from '@limber/contract/businesses/sessions/onsite.ts'
import { IconCalendarTime, IconUserExclamation } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { TodayItem, TodayNote } from '#platform/routing/sections.ts'
import { dayText } from '#ui/format/day-text.ts'

/** On-site sessions of today and tomorrow. */
export async function findSoon(signal: AbortSignal): Promise<TodayNote[]> {
  const { sessions } = await send(listSoonSessions, {}, { signal })
  return sessions.map((session) => ({
    id: `onsite-${session.id}`,
    title: session.business_name,
    detail: [session.stretcher_name, session.location].filter(Boolean).join(', '),
    when: `${session.is_today ? '' : 'Tomorrow, '}${session.time}`,
    path: hrefTo('/worker/managing/businesses', { business: session.business_id, block: session.block_id }),
    icon: IconCalendarTime,
  }))
}

/** On-site sessions that need another stretcher, with those who can take them. */
export async function findUncovered(signal: AbortSignal): Promise<TodayItem[]> {
  const { sessions } = await send(listUncoveredSessions, {}, { signal })
  return sessions.map(
    ({ id, business_id, business_name, block_id, day, time, stretcher_name, lacks, substitutes }) => ({
      id: `onsite-uncovered-${id}`,
      need: 'broken',
      title: `${business_name} needs another stretcher`,
      detail: [
        lacks ? `${stretcher_name} has no valid ${lacks} then` : `${stretcher_name} is not active`,
        substitutes.length > 0
          ? `Free: ${substitutes.map(({ name }) => name).join(', ')}`
          : 'No certified stretcher of the zone is free',
      ].join('. '),
      due: day,
      when: `${dayText(day)}, ${time}`,
      isUrgent: true,
      path: hrefTo('/worker/managing/businesses', { business: business_id, block: block_id }),
      icon: IconUserExclamation,
      action: { label: 'Find a substitute' },
    }),
  )
}
