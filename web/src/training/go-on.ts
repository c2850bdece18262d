import { type KeyboardEvent, type RefObject, useEffect, useRef } from 'react'
import { isSendKey } from '#ui/keyboard/send-key.ts'

const isLine = (target: EventTarget): target is HTMLInputElement =>
  target instanceof HTMLInputElement && /^(?:text|url)$/.test(target.type)

/**
 * Lets a person write a list in one go: Enter leads from one line to the next, behind the last it adds an entry, and
 * what is added has the focus. An address is passed over: it is seldom given.
 */
export function useGoOn(list: RefObject<HTMLElement | null>, count: number, add: (() => void) | undefined) {
  const isAdded = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the number of entries that changed
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
    // Else it would send the form around it.
    event.preventDefault()
    const lines = [...(list.current?.querySelectorAll('input') ?? [])].filter(isLine)
    const next = lines.slice(lines.indexOf(target) + 1).find(({ type }) => type === 'text')
    if (next) next.focus()
    else if (target.value !== '') addNext()
  }
  return { addNext, onKeyDown }
}
