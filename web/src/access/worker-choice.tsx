import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { workerQuery, workersQuery } from './access.api.ts'

const SHOWN = '20'
const WAIT = 200
const OTHERS = 'others'

export interface WorkerChoiceProps {
  /** The id of a worker as text; nothing for anybody. */
  worker: string
  /** Everybody but the reader. */
  isOthers: boolean
  onChange: (change: { worker: string; others: '' | 'true' }) => void
}

/** One worker of many, found by name or e-mail on the server; or all but oneself. */
export default function WorkerChoice({ worker, isOthers, onChange }: WorkerChoiceProps) {
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text.trim(), WAIT)
  const chosen = useQuery({ ...workerQuery(Number(worker)), enabled: worker !== '' }).data
  const fixed = [
    { value: OTHERS, label: 'Changes by others' },
    ...(worker ? [{ value: worker, label: chosen?.name ?? `Worker ${worker}` }] : []),
  ]
  // The name of what is chosen stands in the field: it is no search.
  const isSearch = search !== '' && !fixed.some(({ label }) => label === search)
  const found = useQuery(workersQuery({ limit: SHOWN, ...(isSearch ? { search } : {}) })).data?.workers ?? []
  const others = found
    .filter(({ id }) => String(id) !== worker)
    .map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <Select
      label="Who"
      placeholder="Anybody"
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Anybody' }}
      nothingFoundMessage="Nobody is found"
      // The server did the filtering.
      filter={({ options }) => options}
      data={[...(isSearch ? fixed.slice(1) : fixed), ...others]}
      value={isOthers ? OTHERS : worker || null}
      searchValue={text}
      onSearchChange={setText}
      onChange={(value) =>
        onChange(value === OTHERS ? { worker: '', others: 'true' } : { worker: value ?? '', others: '' })
      }
    />
  )
}
