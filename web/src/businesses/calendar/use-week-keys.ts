import { isCovered } from '#ui/dialog/layers.ts'
import { isTyping } from '#ui/keyboard/is-typing.ts'
import { useWindowKeys } from '#ui/keyboard/use-window-keys.ts'

/** Keys that turn the weeks, from anywhere that is not a field: `n` next, `p` previous, `t` this one. */
export function useWeekKeys(acts: Readonly<Record<'n' | 'p' | 't', () => void>>): void {
  useWindowKeys((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isCovered()) return
    if (event.key !== 'n' && event.key !== 'p' && event.key !== 't') return
    event.preventDefault()
    acts[event.key]()
  })
}
