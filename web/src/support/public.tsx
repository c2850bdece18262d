import { lazy } from 'react'

export { CustomerLink } from './customers/customer-link.tsx'

/** The column beside a record of a person: who they are, and what happened last. */
export const PersonRail = lazy(() => import('./timeline/person-rail.tsx'))
