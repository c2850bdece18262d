import { listSoonSessions } from '@limber/contract/businesses/sessions/onsite.ts'
import { IconCalendarTime } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { TodayItem } from '#platform/routing/sections.ts'

/** On-site sessions of today and tomorrow. */
export async function findSoon(signal: AbortSignal): Promise<TodayItem[]> {
  const { sessions } = await send(listSoonSessions, {}, { signal })
  return sessions.map((session) => ({
    id: `onsite-${session.id}`,
    title: session.business_name,
    detail: `${session.is_today ? 'Today' : 'Tomorrow'}, ${session.time}, ${session.stretcher_name}${
      session.location ? `, ${session.location}` : ''
    }`,
    path: hrefTo('/worker/managing/businesses', { business: session.business_id, block: session.block_id }),
    icon: IconCalendarTime,
  }))
}
