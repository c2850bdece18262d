import { companyZone } from '@limber/contract/kit/company.ts'
import { useEffect, useRef, useState } from 'react'
import type { FormModel } from '#ui/form/use-form.ts'

type Typed = Readonly<Record<string, unknown>>

const kept = new Map<string, Typed>()

/** Keeps what was typed into a form while a new time zone makes the page start over. */
export function useKeptInput(form: string, { values, set, isSending }: FormModel, initial: Typed): void {
  const [zone] = useState(companyZone)
  const typed = useRef<Typed>({})
  useEffect(() => {
    const isTyped = ([name, value]: [string, unknown]) => (value ?? '') !== (initial[name] ?? '')
    typed.current = isSending ? {} : Object.fromEntries(Object.entries(values).filter(isTyped))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the form appears
  useEffect(() => {
    for (const [name, value] of Object.entries(kept.get(form) ?? {})) set(name, value)
    kept.delete(form)
    return () => {
      if (companyZone() !== zone) kept.set(form, typed.current)
    }
  }, [])
}
