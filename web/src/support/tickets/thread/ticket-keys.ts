import { isPageKey } from '#ui/keyboard/is-page-key.ts'
import { isTyping } from '#ui/keyboard/is-typing.ts'
import { useWindowKeys } from '#ui/keyboard/use-window-keys.ts'

/** The visible button or field that names this key. */
const findKeyed = (key: string) =>
  [...document.querySelectorAll<HTMLElement>('[aria-keyshortcuts]')].find(
    (part) => part.getAttribute('aria-keyshortcuts')?.split(' ').includes(key) && part.checkVisibility?.() !== false,
  )

/**
 * The keys of the open ticket, outside of fields, menus and dialogs. A key runs its action, or else presses the button or
 * focuses the field that names it in `aria-keyshortcuts`.
 */
export function useTicketKeys(acts: Readonly<Record<string, (() => void) | undefined>>): void {
  useWindowKeys((event) => {
    const { key } = event
    if (!isPageKey(event) || !/^[a-z#M]$/.test(key)) return
    const act = acts[key]
    const part = act ? undefined : findKeyed(key)
    if (!act && !part) return
    event.preventDefault()
    if (act) act()
    else if (isTyping(part ?? null)) part?.focus()
    else part?.click()
  })
}
