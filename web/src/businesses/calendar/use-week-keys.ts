import { isPageKey } from '#ui/keyboard/is-page-key.ts'
import { useWindowKeys } from '#ui/keyboard/use-window-keys.ts'

/** Keyboard shortcuts outside of form fields: `n` next week, `p` previous week, `t` current week. */
export function useWeekKeys(acts: Readonly<Record<'n' | 'p' | 't', () => void>>): void {
  useWindowKeys((event) => {
    if (!isPageKey(event)) return
    if (event.key !== 'n' && event.key !== 'p' && event.key !== 't') return
    event.preventDefault()
    acts[event.key]()
  })
}
