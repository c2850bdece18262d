import { IconDatabaseExport } from '@tabler/icons-react'
import { hrefTo } from '#platform/routing/links.ts'
import type { TodayItem } from '#platform/routing/sections.ts'
import { readAlarm } from './backup.api.ts'
import { backUp } from './verbs.ts'

/** Backups that are missing or too old. */
export async function findAlarm(signal: AbortSignal): Promise<TodayItem[]> {
  const { isAlarm, text } = await readAlarm(signal)
  if (!isAlarm) return []
  return [
    {
      id: 'backups',
      need: 'broken',
      title: 'Backups need attention',
      detail: text,
      path: hrefTo('/worker/tech/backups'),
      icon: IconDatabaseExport,
      action: { label: 'Back up now', run: backUp },
      covers: 'health-backups',
    },
  ]
}
