import { useEffect, useEffectEvent } from 'react'
import { isTyping } from '#ui/is-typing.ts'
import { isCovered } from '#ui/layers.ts'

/** Keys that turn the weeks, from anywhere that is not a field: `n` next, `p` previous, `t` this one. */
export function useWeekKeys(acts: Readonly<Record<'n' | 'p' | 't', () => void>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isCovered()) return
    if (event.key !== 'n' && event.key !== 'p' && event.key !== 't') return
    event.preventDefault()
    acts[event.key]()
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}
