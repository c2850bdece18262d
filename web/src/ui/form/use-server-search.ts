import type { SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'

const DEBOUNCE_MS = 200

interface Option {
  value: string
  label: string
}

/** Searches options on the server while the person types. The `first` options come before the results. */
export function useServerSearch(first: readonly Option[]) {
  const [text, setText] = useState('')
  const [query] = useDebouncedValue(text.trim(), DEBOUNCE_MS)
  const field = {
    searchable: true,
    nothingFoundMessage: 'No matches',
    // The server filters already.
    filter: ({ options }) => options,
    searchValue: text,
    onSearchChange: setText,
  } satisfies SelectProps
  return {
    // The field shows the label of the selected option, which is not a search.
    search: first.some(({ label }) => label === query) ? '' : query,
    optionsOf: (found: readonly Option[]): Option[] => [
      ...first,
      ...found.filter(({ value }) => !first.some((one) => one.value === value)),
    ],
    field,
  }
}
