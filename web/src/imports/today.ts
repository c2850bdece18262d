import { listImports } from '@limber/contract/imports/import.ts'
import { IconDatabaseImport } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import type { TodayItem } from '#platform/routing/sections.ts'
import { isRunning } from './import.api.ts'
import { percentOf, stateLabels, titleOf } from './import-labels.ts'
import { hrefOf } from './import-link.ts'

const LATEST = '10'

/** Imports that run, and those that failed before they were done. */
export async function findImports(signal: AbortSignal): Promise<TodayItem[]> {
  const { imports } = await send(listImports, { query: { limit: LATEST } }, { signal })
  return imports
    .filter((one) => isRunning(one) || (one.state === 'failed' && one.file.is_kept))
    .map((one) => ({
      id: `import-${one.id}`,
      need: isRunning(one) ? 'tidy' : 'broken',
      title: `${titleOf(one)}: ${stateLabels[one.state].toLowerCase()}`,
      detail: isRunning(one) ? `${one.file.name}, ${percentOf(one)}%` : `${one.file.name}: ${one.error ?? 'unknown'}`,
      isUrgent: one.state === 'failed',
      path: hrefOf(one.id),
      icon: IconDatabaseImport,
      action: { label: 'Open' },
    }))
}
