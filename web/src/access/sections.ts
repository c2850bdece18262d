import { IconUserCircle } from '@tabler/icons-react'
import type { PublicScreen, Section } from '#platform/sections.ts'

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

export const publicScreens: readonly PublicScreen[] = [
  { title: 'Set up access', path: '/onboarding', load: () => import('./onboarding.screen.tsx') },
  { title: 'Recover access', path: '/recovery', load: () => import('./recovery.screen.tsx') },
]
