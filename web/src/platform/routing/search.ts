import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { z } from 'zod'

type Values = Record<string, string>

/** Keeps search parameters as text. The router's default parser would turn `?q=7` into a number. */
export const parseSearch = (text: string): Values => Object.fromEntries(new URLSearchParams(text))

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== '') params.set(name, String(value))
  }
  const text = params.toString()
  return text && `?${text}`
}

interface Options {
  replace?: boolean
  /** The record is gone, so skip the question about unsaved changes. */
  isFinal?: boolean
}

/**
 * Keeps a screen's filters, page and selection in the URL. The schema gives types and defaults:
 * `z.object({ q: z.string().catch(''), page: z.coerce.number().int().min(1).catch(1) })`.
 * Setting a value to its default, or to undefined, removes it from the URL.
 */
export function useSearchState<S extends z.ZodObject>(
  schema: S,
): [z.output<S>, (change: Partial<z.output<S>>, how?: Options) => void] {
  const search = useSearch({ strict: false }) as Values
  const navigate = useNavigate()
  const state = useMemo(() => schema.parse(search), [schema, search])
  const defaults = useMemo(() => schema.parse({}) as Record<string, unknown>, [schema])
  const change = useCallback(
    (part: Partial<z.output<S>>, how: Options = {}) => {
      const kept = Object.fromEntries(
        Object.entries(part).map(([name, value]) => [name, value === defaults[name] ? undefined : value]),
      )
      void navigate({
        to: '.',
        search: (before: object) => ({ ...before, ...kept }),
        replace: how.replace ?? false,
        ignoreBlocker: how.isFinal ?? false,
        resetScroll: false,
      })
    },
    [navigate, defaults],
  )
  return [state, change]
}
