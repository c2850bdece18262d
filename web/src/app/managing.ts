import { IconCalendarEvent } from '@tabler/icons-react'
import type { Area } from '#platform/routing/sections.ts'

declare module '#platform/routing/links.ts' {
  interface LinkTargets {
    '/worker/managing/today': NoSearch
  }
}

/** The Today panel collects items from every area, so it belongs to none of them. */
export const managing: Area = {
  sections: [
    {
      tab: 'worker',
      page: 'managing',
      title: 'Today',
      path: '/worker/managing/today',
      icon: IconCalendarEvent,
      permission: 'signed-in',
      order: 0,
      load: () => import('./today/today.screen.tsx'),
    },
  ],
}
