import { useRef } from 'react'

/** Scrolls to a form below a list, which can be longer than the screen, and focuses it. */
export function useFormBelow() {
  const form = useRef<HTMLDivElement>(null)
  const goToForm = () => {
    form.current?.scrollIntoView({ block: 'end' })
    form.current?.querySelector<HTMLElement>('input:not([type=radio])')?.focus()
  }
  return { form, goToForm }
}
