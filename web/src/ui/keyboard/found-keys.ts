import type { KeyboardEvent } from 'react'

const steps: Record<string, number | undefined> = { ArrowDown: 1, ArrowUp: -1 }

/** For a field with a list of what it found: the arrows go through the list, and Enter in the field chooses the only one. */
export function onFoundKeys(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget, target, key } = event
  const found = [...currentTarget.querySelectorAll<HTMLElement>('ul button')]
  const field = currentTarget.querySelector('input')
  const [first] = found
  if (!first || !field) return
  const step = steps[key]
  if (step) {
    const places = [field, ...found]
    const next = places[places.indexOf(target as HTMLElement) + step]
    event.preventDefault()
    next?.focus()
  } else if (key === 'Enter' && target === field) {
    event.preventDefault()
    if (found.length === 1) first.click()
    else first.focus()
  }
}
