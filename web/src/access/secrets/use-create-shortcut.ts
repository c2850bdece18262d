import { isPageKey } from '#ui/keyboard/is-page-key.ts'
import { useWindowKeys } from '#ui/keyboard/use-window-keys.ts'

/** `c` creates, unless someone types or a layer is open. */
export function useCreateShortcut(create: () => void): void {
  useWindowKeys((event) => {
    if (event.key !== 'c' || !isPageKey(event)) return
    event.preventDefault()
    create()
  })
}
