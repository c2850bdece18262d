import { TextInput } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { EarnerFilterProps } from './earner-select.tsx'

/** The searchable select is a large chunk; it loads after the rest of the screen. */
const EarnerSelect = lazy(() => import('./earner-select.tsx'))

export const EarnerFilter = (props: EarnerFilterProps) => (
  <Suspense fallback={<TextInput label="Earner" placeholder="Any earner" disabled />}>
    <EarnerSelect {...props} />
  </Suspense>
)
