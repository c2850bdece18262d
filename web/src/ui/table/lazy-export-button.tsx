import { type ComponentProps, lazy, Suspense } from 'react'
import type { ExportButton as Button } from './export-button.tsx'
import styles from './lazy-export-button.module.css'

const ExportButton = lazy(() => import('./export-button.tsx').then((file) => ({ default: file.ExportButton })))

/** The export button of a screen whose first load is near its budget. Its place is reserved. */
export const LazyExportButton = (props: ComponentProps<typeof Button>) => (
  <Suspense fallback={<span className={styles.place} />}>
    <ExportButton {...props} />
  </Suspense>
)
