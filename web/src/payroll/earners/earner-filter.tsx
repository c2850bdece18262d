import { TextInput } from '@mantine/core'
import { lazy, Suspense } from 'react'
import type { EarnerFilterProps } from './earner-choice.tsx'

/** A list that can be searched weighs more than the rest of the screen: the entries do not wait for it. */
const EarnerChoice = lazy(() => import('./earner-choice.tsx'))

/** Narrows a list to one earner. */
export const EarnerFilter = (props: EarnerFilterProps) => (
  <Suspense fallback={<TextInput label="Earner" placeholder="Anybody" disabled />}>
    <EarnerChoice {...props} />
  </Suspense>
)
