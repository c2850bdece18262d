import { listWorkers } from '@limber/contract/access/workers/worker.ts'
import { IconUserShield } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { PaletteItem } from '#platform/routing/sections.ts'
import { statusLabels } from './workers/worker-labels.ts'

/** The first workers whose name or email contains the text. */
export async function findWorkers(text: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const { workers } = await send(listWorkers, { query: { search: text, limit: '5' } }, { signal })
  return workers.map(({ id, name, role, status }) => ({
    id: `worker-${id}`,
    title: name,
    detail: [role ?? 'No role', ...(status === 'active' ? [] : [statusLabels[status]])].join(' · '),
    icon: IconUserShield,
    run: (go) => go(hrefTo('/worker/tech/access', { worker: id })),
  }))
}
