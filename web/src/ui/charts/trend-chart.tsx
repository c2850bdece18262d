import { lazy, Suspense } from 'react'
import { BlockSkeleton } from '../feedback/skeleton.tsx'
import type { TrendProps } from './trend-plot.tsx'

const TrendPlot = lazy(() => import('./trend-plot.tsx'))

/** A line over time with the previous period. Loads when a chart is first shown; a skeleton reserves its space. */
export function TrendChart(props: TrendProps) {
  const height = props.height ?? 232
  return (
    <Suspense fallback={<BlockSkeleton height={height + 24} />}>
      <TrendPlot {...props} height={height} />
    </Suspense>
  )
}
