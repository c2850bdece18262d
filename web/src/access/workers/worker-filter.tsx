import { TextInput } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { WorkerChoiceProps } from './worker-choice.tsx'

// The searchable select is larger than the rest of the screen, so it loads separately.
const WorkerChoice = lazy(() => import('./worker-choice.tsx'))

/** Filters the log by worker. */
export const WorkerFilter = (props: WorkerChoiceProps) => (
  <Suspense fallback={<TextInput label="Who" placeholder="Anyone" disabled />}>
    <WorkerChoice {...props} />
  </Suspense>
)
