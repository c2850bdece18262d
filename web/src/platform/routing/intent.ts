import { useEffect, useEffectEvent } from 'react'
import { z } from 'zod'
import { type Href, hrefTo, type Path, type SearchOf } from './links.ts'
import { stringifySearch, useSearchState } from './search.ts'

const Intent = z.object({ do: z.string().max(20).catch('') })

/** A link to a screen that opens one of its forms. */
export const hrefDoing = <P extends Path>(to: P, intent: string, search?: SearchOf<P>) =>
  (hrefTo(to) + stringifySearch({ ...search, do: intent })) as Href

/** Opens a form of the screen when a link asks for it. The URL forgets it, so that Reload does not open it again. */
export function useIntent(intent: string, open: () => void): void {
  const [{ do: asked }, change] = useSearchState(Intent)
  const start = useEffectEvent(() => {
    change({ do: '' }, { replace: true })
    open()
  })
  useEffect(() => {
    if (asked === intent) start()
  }, [asked, intent])
}
