import { useState } from 'react'
import type { z } from 'zod'
import { type Problems, problemsOf, refusedFields, type Values, withoutBlanks } from './form-state.ts'

export interface FormOptions<S extends z.ZodType> {
  schema: S
  /** The mutation that sends the input. */
  mutation: { mutateAsync: (input: z.input<S>) => Promise<unknown> }
  initial?: Partial<z.input<S>>
  /** Hidden values that are sent too. */
  fixed?: Partial<z.input<S>>
  /** Gets the reply. */
  onDone?: (reply: unknown) => void
}

/** The state of a form: values, problems, sending, unsaved changes. */
export function useForm<S extends z.ZodType>({ schema, mutation, initial, fixed, onDone }: FormOptions<S>) {
  const [values, setValues] = useState<Values>(() => ({ ...(initial as Values | undefined) }))
  const [start, setStart] = useState(values)
  const [problems, setProblems] = useState<Problems>({})
  const [failure, setFailure] = useState<unknown>()
  const [isSending, setSending] = useState(false)
  const [refusals, setRefusals] = useState(0)

  const set = (name: string, value: unknown) => {
    setValues((before) => ({ ...before, [name]: value }))
    setProblems(({ [name]: _, ...others }) => others)
  }

  /** Shows problems that the screen found itself, like those of a refused submit. */
  const refuse = (found: Problems) => {
    setProblems(found)
    setRefusals((count) => count + 1)
  }

  const submit = async (): Promise<boolean> => {
    if (isSending) return false
    const input = withoutBlanks({ ...values, ...(fixed as Values | undefined) }) as z.input<S>
    const read = schema.safeParse(input)
    setFailure(undefined)
    setProblems(read.success ? {} : problemsOf(read.error, values))
    if (!read.success) {
      setRefusals((count) => count + 1)
      return false
    }
    setSending(true)
    try {
      const reply = await mutation.mutateAsync(input)
      setStart(values)
      onDone?.(reply)
      return true
    } catch (error) {
      setProblems(refusedFields(error))
      setFailure(error)
      setRefusals((count) => count + 1)
      return false
    } finally {
      setSending(false)
    }
  }

  const isDirty = Object.keys({ ...values, ...start }).some((name) => (values[name] ?? '') !== (start[name] ?? ''))
  return { values, problems, failure, isSending, isDirty, refusals, set, refuse, submit }
}

export type FormModel = ReturnType<typeof useForm>
