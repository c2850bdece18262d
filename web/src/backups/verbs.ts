import { startBackup } from '@limber/contract/backups/backup.ts'
import { IconDatabase, IconDatabaseExport } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { Verb } from '#platform/routing/verbs.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'

const common = { permission: 'backups.initiate', screen: '/worker/tech/backups' } as const
const question = {
  title: 'Run a backup now?',
  body: 'It is verified by a restore into a scratch database. You confirm with your passkey.',
  action: 'Back up now',
}

export async function backUp(): Promise<void> {
  if (!(await confirm(question))) return
  try {
    await send(startBackup, { body: {} })
    toast('Backup started.')
  } catch (error) {
    toastFailure("Couldn't start the backup", error)
  }
}

export const backupVerbs: readonly Verb[] = [
  {
    ...common,
    id: 'backup-run',
    title: 'Run backup',
    icon: IconDatabaseExport,
    calls: ['POST /api/backups'],
    run: () => void backUp(),
  },
  {
    ...common,
    id: 'backup-verify',
    title: 'Verify a backup',
    icon: IconDatabase,
    calls: ['POST /api/backups/:id/verify'],
    run: (go) => go(hrefTo('/worker/tech/backups')),
  },
]
