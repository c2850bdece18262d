import { listEarners } from '@limber/contract/payroll/earners/earner.ts'
import { IconIdBadge2 } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { PaletteItem } from '#platform/routing/sections.ts'

/** Up to five earners whose name contains the text. */
export async function findEarners(text: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const { earners } = await send(listEarners, { query: { search: text, limit: '5' } }, { signal })
  return earners.map(({ id, name, kind }) => ({
    id: `earner-${id}`,
    title: name,
    detail: kind,
    icon: IconIdBadge2,
    run: (go) => go(hrefTo('/worker/financial/earners', { earner: id })),
  }))
}
