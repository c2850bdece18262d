import { useRef } from 'react'

/** A form that stands below a list, which may be longer than the screen, and the way to it. */
export function useFormBelow() {
  const form = useRef<HTMLDivElement>(null)
  const goToForm = () => {
    form.current?.scrollIntoView({ block: 'end' })
    form.current?.querySelector<HTMLElement>('input:not([type=radio])')?.focus()
  }
  return { form, goToForm }
}
