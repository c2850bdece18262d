import { IconBuilding } from '@tabler/icons-react'
import type { Area } from '#platform/routing/sections.ts'

declare module '#platform/routing/links.ts' {
  interface LinkTargets {
    '/worker/tech/company': NoSearch
  }
}

export const companyArea: Area = {
  sections: [
    {
      tab: 'worker',
      page: 'tech',
      title: 'Company',
      path: '/worker/tech/company',
      icon: IconBuilding,
      permission: 'access.manage',
      order: 80,
      load: () => import('./company.screen.tsx'),
    },
  ],
}
