import { isLayerOpen } from '#ui/dialog/layers.ts'
import { isTyping } from '#ui/keyboard/is-typing.ts'
import { useWindowKeys } from '#ui/keyboard/use-window-keys.ts'

/** `c` creates, unless someone types or a layer is open. */
export function useCreateShortcut(create: () => void): void {
  useWindowKeys((event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
    if (event.key !== 'c' || !isPlain || isTyping(event.target) || isLayerOpen()) return
    event.preventDefault()
    create()
  })
}
