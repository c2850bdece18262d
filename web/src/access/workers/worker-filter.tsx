import { TextInput } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { WorkerChoiceProps } from './worker-choice.tsx'

/** A list that can be searched weighs more than the rest of the screen: the log does not wait for it. */
const WorkerChoice = lazy(() => import('./worker-choice.tsx'))

/** Narrows the log to one worker. */
export const WorkerFilter = (props: WorkerChoiceProps) => (
  <Suspense fallback={<TextInput label="Who" placeholder="Anyone" disabled />}>
    <WorkerChoice {...props} />
  </Suspense>
)
