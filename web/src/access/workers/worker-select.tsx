import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useServerSearch } from '#ui/form/use-server-search.ts'
import { workerQuery, workersQuery } from '../access.api.ts'

const SHOWN = '20'
const OTHERS = 'others'

export interface WorkerSelectProps {
  /** A worker ID, or empty for anyone. */
  worker: string
  /** Everyone but the reader. */
  isOthers: boolean
  onChange: (change: { worker: string; others: '' | 'true' }) => void
}

/** Selects one worker, searched on the server, or everyone but the reader. */
export default function WorkerSelect({ worker, isOthers, onChange }: WorkerSelectProps) {
  const selected = useQuery({ ...workerQuery(Number(worker)), enabled: worker !== '' }).data
  const { search, optionsOf, field } = useServerSearch([
    { value: OTHERS, label: 'Everyone but me' },
    ...(worker ? [{ value: worker, label: selected?.name ?? `Worker ${worker}` }] : []),
  ])
  const found = useQuery(workersQuery({ limit: SHOWN, ...(search ? { search } : {}) })).data?.workers ?? []
  const options = optionsOf(found.map(({ id, name }) => ({ value: String(id), label: name })))
  return (
    <Select
      label="Who"
      placeholder="Anyone"
      {...field}
      clearable
      clearButtonProps={{ 'aria-label': 'Anyone' }}
      data={search ? options.slice(1) : options}
      value={isOthers ? OTHERS : worker || null}
      onChange={(value) =>
        onChange(value === OTHERS ? { worker: '', others: 'true' } : { worker: value ?? '', others: '' })
      }
    />
  )
}
