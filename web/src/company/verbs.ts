import { IconBuildingStore } from '@tabler/icons-react'
import { hrefTo } from '#platform/routing/links.ts'
import type { Verb } from '#platform/routing/verbs.ts'

export const companyVerbs: readonly Verb[] = [
  {
    id: 'company-change',
    title: 'Change the company',
    words: 'name logo time zone mail server backup key setup',
    permission: 'access.manage',
    icon: IconBuildingStore,
    screen: '/worker/tech/company',
    calls: [
      'PATCH /api/company',
      'POST /api/company/logo',
      'DELETE /api/company/logo',
      'PUT /api/company/mail-server',
      'POST /api/company/mail-server/test',
      'POST /api/company/backup-key/reveal',
      'POST /api/company/backup-key/kept',
      'POST /api/company/setup',
    ],
    run: (go) => go(hrefTo('/worker/tech/company')),
  },
]
