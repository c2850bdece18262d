import { useRef } from 'react'

/** A form that stands below a list where the screen is narrow, and the way to it. */
export function useFormBelow() {
  const form = useRef<HTMLDivElement>(null)
  const goToForm = () => {
    form.current?.scrollIntoView({ block: 'end' })
    form.current?.querySelector<HTMLElement>('input:not([type=radio])')?.focus()
  }
  return { form, goToForm }
}
