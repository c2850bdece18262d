import { IconSchool } from '@tabler/icons-react'
import type { Section } from '#platform/sections.ts'

export const sections: readonly Section[] = [
  {
    tab: 'worker',
    page: 'managing',
    title: 'Training Management',
    path: '/worker/managing/training',
    icon: IconSchool,
    permission: 'training.manage',
    order: 40,
    load: () => import('./training.screen.tsx'),
  },
]
