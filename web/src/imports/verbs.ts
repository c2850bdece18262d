import { importPermissions } from '@limber/contract/imports/import-permissions.ts'
import { IconFileImport } from '@tabler/icons-react'
import { hrefTo } from '#platform/routing/links.ts'
import type { Verb } from '#platform/routing/verbs.ts'

export const importVerbs: readonly Verb[] = [
  {
    id: 'import',
    title: 'Import a file',
    words: 'csv upload undo move in',
    permission: importPermissions,
    icon: IconFileImport,
    screen: '/worker/import',
    calls: [
      'POST /api/imports/upload',
      'POST /api/imports/:id/check',
      'POST /api/imports/:id/apply',
      'POST /api/imports/:id/cancel',
      'POST /api/imports/:id/undo',
      'DELETE /api/imports/:id',
    ],
    run: (go) => go(hrefTo('/worker/import')),
  },
]
