import type { ImportDetail } from '@limber/contract/imports/import.ts'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { FailureView } from '#ui/feedback/failure-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { importQuery, importsKey } from './import.api.ts'
import { ImportHome } from './import-home.tsx'
import { canGoBack, stepOf } from './import-labels.ts'
import { ImportSearch, steps } from './import-search.ts'
import { isRunningState, RunningStep } from './running-step.tsx'

const MapStep = lazy(() => import('./map-step.tsx'))
const ColumnsStep = lazy(() => import('./columns/columns-step.tsx'))
const CheckStep = lazy(() => import('./rows/check-step.tsx'))
const ResultStep = lazy(() => import('./result-step.tsx'))

/** The import at the step that its state leads to, or at an earlier one while nothing was written. */
function CurrentStep({ one }: { one: ImportDetail }) {
  const [search, change] = useSearchState(ImportSearch)
  if (isRunningState(one.state)) return <RunningStep one={one} state={one.state} />
  const latest = stepOf(one)
  const isEarlier = search.step !== '' && steps.indexOf(search.step) < steps.indexOf(latest)
  const step = search.step !== '' && isEarlier && canGoBack(one) ? search.step : latest
  if (step === 'upload')
    return (
      <MapStep
        one={one}
        map={search.map}
        onMap={(map) => change({ map }, { replace: true })}
        onNext={() => change({ step: 'columns' })}
      />
    )
  if (step === 'columns')
    return (
      <ColumnsStep
        one={one}
        map={search.map}
        onBack={() => change({ step: 'upload' })}
        onChecked={() => change({ step: '', map: '', show: '', reason: '' })}
      />
    )
  if (step === 'check') return <CheckStep one={one} search={search} change={change} />
  return <ResultStep one={one} search={search} change={change} />
}

/** One import, from its columns to its result. */
function OneImport({ id }: { id: number }) {
  useLiveRefresh('imports', importsKey)
  const query = useQuery(importQuery(id))
  if (query.data)
    return (
      <Suspense>
        <CurrentStep one={query.data} />
      </Suspense>
    )
  return (
    <>
      <PageHead title="Import" />
      {query.isError ? (
        <FailureView
          error={query.error}
          title="Couldn't load this import"
          onRetry={() => void query.refetch()}
          isRetrying={query.isFetching}
        />
      ) : (
        <ListSkeleton rows={6} hasPicture={false} />
      )}
    </>
  )
}

/** Where an import begins, or one import by its address. */
export default function ImportScreen() {
  const { pathname } = useLocation()
  const id = Number(pathname.split('/')[3])
  return id > 0 ? <OneImport key={id} id={id} /> : <ImportHome />
}
