import { TextInput } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { WorkerSelectProps } from './worker-select.tsx'

// The searchable select is larger than the rest of the screen, so it loads separately.
const WorkerChoice = lazy(() => import('./worker-select.tsx'))

/** Filters the log by worker. */
export const WorkerFilter = (props: WorkerSelectProps) => (
  <Suspense fallback={<TextInput label="Who" placeholder="Anyone" disabled />}>
    <WorkerChoice {...props} />
  </Suspense>
)
