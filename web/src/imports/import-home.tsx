import { lazy, Suspense } from 'react'
import { useSearchState } from '#platform/routing/search.ts'
import { ImportHomeSearch } from './import-search.ts'
import { UploadStep } from './upload-step.tsx'

const PastImports = lazy(() => import('./past-imports.tsx'))

/** Where an import begins, and the list of earlier ones. */
export function ImportHome() {
  const [{ kind, view }, change] = useSearchState(ImportHomeSearch)
  if (view === 'past')
    return (
      <Suspense>
        <PastImports />
      </Suspense>
    )
  return <UploadStep kind={kind} onKind={(next) => change({ kind: next }, { replace: true })} />
}
