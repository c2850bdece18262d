import { isLayerOpen } from '#ui/dialog/layers.ts'
import { isTyping } from '#ui/keyboard/is-typing.ts'
import { useWindowKeys } from '#ui/keyboard/use-window-keys.ts'

/** Keyboard shortcuts outside of form fields: `n` next week, `p` previous week, `t` current week. */
export function useWeekKeys(acts: Readonly<Record<'n' | 'p' | 't', () => void>>): void {
  useWindowKeys((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isLayerOpen()) return
    if (event.key !== 'n' && event.key !== 'p' && event.key !== 't') return
    event.preventDefault()
    acts[event.key]()
  })
}
