import { listBusinesses } from '@limber/contract/businesses/business.ts'
import { IconBuildingStore } from '@tabler/icons-react'
import { send } from '#platform/api.ts'
import type { PaletteItem } from '#platform/sections.ts'

/** The first few businesses whose name, path or e-mail holds the words. */
export async function findBusinesses(text: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const { businesses } = await send(listBusinesses, { query: { search: text, limit: '5' } }, { signal })
  return businesses.map(({ id, name, zone_name }) => ({
    id: `business-${id}`,
    title: name,
    detail: zone_name,
    icon: IconBuildingStore,
    run: (go) => go(`/worker/managing/businesses?business=${id}`),
  }))
}
