import { TextInput } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { EarnerFilterProps } from './earner-choice.tsx'

/** The searchable select is a large chunk; it loads after the rest of the screen. */
const EarnerChoice = lazy(() => import('./earner-choice.tsx'))

export const EarnerFilter = (props: EarnerFilterProps) => (
  <Suspense fallback={<TextInput label="Earner" placeholder="Any earner" disabled />}>
    <EarnerChoice {...props} />
  </Suspense>
)
