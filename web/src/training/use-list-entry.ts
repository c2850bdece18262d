import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { isSendKey } from '#ui/keyboard/send-key.ts'

const isLine = (target: EventTarget): target is HTMLInputElement =>
  target instanceof HTMLInputElement && /^(?:text|url)$/.test(target.type)

/**
 * Keyboard entry for a list: Enter moves to the next text field and, after the last one, adds an entry and focuses it.
 * URL fields are skipped because they are rarely filled in.
 */
export function useListEntry(list: RefObject<HTMLElement | null>, count: number, add: (() => void) | undefined) {
  const isAdded = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the number of entries changes
  useEffect(() => {
    const fields = list.current?.lastElementChild?.querySelectorAll<HTMLElement>('input, select') ?? []
    if (isAdded.current) [...fields].find((field) => isLine(field) || field.matches('select'))?.focus()
    isAdded.current = false
  }, [count])
  const addNext = () => {
    isAdded.current = true
    add?.()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target } = event
    if (event.key !== 'Enter' || isSendKey(event) || event.nativeEvent.isComposing || !isLine(target)) return
    // Otherwise Enter would submit the form.
    event.preventDefault()
    const lines = [...(list.current?.querySelectorAll('input') ?? [])].filter(isLine)
    const next = lines.slice(lines.indexOf(target) + 1).find(({ type }) => type === 'text')
    if (next) next.focus()
    else if (target.value !== '') addNext()
  }
  return { addNext, onKeyDown }
}
