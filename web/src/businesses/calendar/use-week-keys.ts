import { isTyping } from '#ui/is-typing.ts'
import { isCovered } from '#ui/layers.ts'
import { useWindowKeys } from '#ui/use-window-keys.ts'

/** Keys that turn the weeks, from anywhere that is not a field: `n` next, `p` previous, `t` this one. */
export function useWeekKeys(acts: Readonly<Record<'n' | 'p' | 't', () => void>>): void {
  useWindowKeys((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isCovered()) return
    if (event.key !== 'n' && event.key !== 'p' && event.key !== 't') return
    event.preventDefault()
    acts[event.key]()
  })
}
