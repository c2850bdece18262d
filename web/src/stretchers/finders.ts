import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { listStretchers } from '@limber/contract/stretchers/stretcher.ts'
import { IconStretching } from '@tabler/icons-react'
import { send } from '#platform/api/api.ts'
import { hrefTo } from '#platform/routing/links.ts'
import type { PaletteItem, TodayItem } from '#platform/routing/sections.ts'
import { nameOf } from './labels.ts'

/** Up to five stretchers whose name or email contains the text. */
export async function findStretchers(text: string, signal: AbortSignal): Promise<PaletteItem[]> {
  const { stretchers } = await send(listStretchers, { query: { search: text, limit: '5' } }, { signal })
  return stretchers.map((one) => ({
    id: `stretcher-${one.id}`,
    title: nameOf(one),
    detail: one.zone?.name ?? 'No zone',
    icon: IconStretching,
    run: (go) => go(hrefTo('/worker/managing/stretchers', { stretcher: one.id })),
  }))
}

/** Active stretchers who lack a required certification. */
export async function findUncertified(signal: AbortSignal): Promise<TodayItem[]> {
  const { counts } = await send(listStretchers, { query: { limit: '1' } }, { signal })
  const count = counts.not_certified
  if (count === 0) return []
  return [
    {
      id: 'stretchers-not-certified',
      need: 'tidy',
      title: pluralize(count, 'stretcher is not certified', 'stretchers are not certified'),
      detail: 'A required certification is missing or expired',
      path: hrefTo('/worker/managing/stretchers', { status: 'not_certified' }),
      icon: IconStretching,
      action: { label: 'Review' },
    },
  ]
}
