import type { SelectProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'

const DEBOUNCE_MS = 200

interface Option {
  value: string
  label: string
}

/** A choice among more than a list can hold: the server is asked for what is typed, and these options stand before what it finds. */
export function useServerSearch(first: readonly Option[]) {
  const [text, setText] = useState('')
  const [words] = useDebouncedValue(text.trim(), DEBOUNCE_MS)
  const field = {
    searchable: true,
    nothingFoundMessage: 'No matches',
    // The server did the filtering.
    filter: ({ options }) => options,
    searchValue: text,
    onSearchChange: setText,
  } satisfies SelectProps
  return {
    // The name of what is chosen stands in the field: it is no search.
    search: first.some(({ label }) => label === words) ? '' : words,
    optionsOf: (found: readonly Option[]): Option[] => [
      ...first,
      ...found.filter(({ value }) => !first.some((one) => one.value === value)),
    ],
    field,
  }
}
