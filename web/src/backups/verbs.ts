import { startBackup } from '@limber/contract/backups/backup.ts'
import { IconArrowBackUp, IconDatabase, IconDatabaseExport } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { Sentence, Verb } from '#platform/routing/verbs.ts'
import type { Question } from '#ui/dialog/confirm.ts'
import { act } from '#ui/feedback/act.ts'
import { toast } from '#ui/feedback/toast-store.ts'

const common = { permission: 'backups.initiate', screen: '/worker/tech/backups' } as const
const question: Question = {
  title: 'Run a backup now?',
  body: 'It is verified by a restore into a scratch database. You confirm with your passkey.',
  action: 'Back up now',
}

const start = (ask?: Question) =>
  act(() => send(startBackup, { body: {} }), {
    ...(ask && { ask }),
    done: () => toast('Backup started.'),
    failed: "Couldn't start the backup",
  })

export const backUp = () => start(question)

const sentence: Sentence = {
  verb: 'Run',
  parts: [{ slot: 'a backup' }, { word: 'now' }],
  stepUp: startBackup.stepUp,
  effects: () => [
    { icon: IconDatabaseExport, label: 'Backup', value: 'Starts now. You can go on working.' },
    { icon: IconDatabase, label: 'Check', value: 'It is verified by a restore into a scratch database.' },
    { icon: IconArrowBackUp, label: 'Undo', value: 'Not needed: a backup changes no data.' },
  ],
  action: 'Back up now',
  form: hrefTo('/worker/tech/backups'),
  run: () => start(),
}

export const backupVerbs: readonly Verb[] = [
  {
    ...common,
    id: 'backup-run',
    title: 'Run backup',
    icon: IconDatabaseExport,
    calls: ['POST /api/backups'],
    sentence: async () => sentence,
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
