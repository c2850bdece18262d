import { IconUserCircle } from '@tabler/icons-react'
import type { Section } from '#platform/sections.ts'

export const sections: readonly Section[] = [
  {
    tab: 'worker',
    page: 'worker',
    title: 'My profile',
    path: '/dashboard/worker-profile',
    icon: IconUserCircle,
    permission: 'signed-in',
    order: 0,
    load: () => import('./profile.screen.tsx'),
  },
]
