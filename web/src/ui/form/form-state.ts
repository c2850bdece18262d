import { createContext, use } from 'react'
import type { z } from 'zod'
import { CallFailure } from '#platform/api/call-failure.ts'

export type Values = Readonly<Record<string, unknown>>
export type Problems = Readonly<Record<string, string>>

export interface FormState {
  values: Values
  problems: Problems
  /** True when there are unsaved changes. */
  isDirty: boolean
  set: (name: string, value: unknown) => void
}

export const FormContext = createContext<FormState | null>(null)

const isBlank = (value: unknown) => value === undefined || value === null || value === ''

/** Leaves out unset fields. */
export const withoutBlanks = (values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null))

// Codes that zod reports for a missing value. A select without a selection is missing, not invalid.
const MISSING_VALUE_CODES: ReadonlySet<string | undefined> = new Set(['invalid_type', 'invalid_value', 'invalid_union'])

/** The first problem of each field, by name. A missing value is always 'is required'. */
export function problemsOf(error: z.ZodError, values: Values): Problems {
  const problems: Record<string, string> = {}
  for (const issue of error.issues) {
    const name = issue.path.join('.')
    const isMissing = MISSING_VALUE_CODES.has(issue.code) && isBlank(values[name])
    problems[name] ??= isMissing ? 'is required' : issue.message
  }
  return problems
}

/** The problems that the server found, by field. */
export const refusedFields = (error: unknown): Problems =>
  error instanceof CallFailure ? Object.fromEntries(error.fields.map(({ path, text }) => [path, text])) : {}

/** Joins label and problem: 'is required' becomes 'Name is required.' */
export function sentence(label: string, problem: string | undefined): string | undefined {
  if (!problem) return undefined
  if (!/^[a-z]/.test(problem)) return problem
  return `${label} ${problem}${problem.endsWith('.') ? '' : '.'}`
}

/** Connects a field to the surrounding form. */
export function useField<T>(name: string, label: string, blank: T) {
  const form = use(FormContext)
  if (!form) throw new Error(`The field ${name} is outside of a form`)
  return {
    value: (form.values[name] ?? blank) as T,
    error: sentence(label, form.problems[name]),
    set: (value: T | undefined) => form.set(name, value),
  }
}
