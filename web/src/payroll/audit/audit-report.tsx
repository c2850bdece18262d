import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import type { AuditResult } from '@limber/contract/payroll/audit/audit.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { Progress } from '#ui/charts/progress.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { EarnerSummary } from '../earners/earner-summary.tsx'
import type { AuditProgress } from './audit.api.ts'
import { AuditFigures } from './audit-figures.tsx'
import { Discrepancies } from './discrepancies.tsx'
import styles from './tax-audit.module.css'
import type { ChangeSearch, TaxAuditSearch } from './tax-audit-search.ts'

const FAILED = 'Failed to run payroll audit.'

interface Props {
  query: UseQueryResult<AuditResult>
  progress: AuditProgress | null
  search: TaxAuditSearch
  onChange: ChangeSearch
}

function Running({ progress }: { progress: AuditProgress | null }) {
  return (
    <Progress
      label="Running the audit"
      done={progress?.done ?? 0}
      total={progress?.total ?? 1}
      counts={progress ? `${formatInteger(progress.done)} of ${formatInteger(progress.total)} entries` : 'Starting…'}
    />
  )
}

/** The result of an audit. The previous result stays visible during a rerun. */
export function AuditReport({ query, progress, search, onChange }: Props) {
  const loading = (
    <div className={styles.first}>
      <Running progress={progress} />
      <ListSkeleton rows={5} hasPicture={false} />
    </div>
  )
  return (
    <QueryView query={query} failure={FAILED} loading={loading}>
      {(result) => (
        <div className={styles.report} aria-busy={query.isFetching}>
          <div className={styles.slot}>{query.isFetching && <RunningBar progress={progress} />}</div>
          {result.is_cut && (
            <Banner kind="amber">
              Showing the newest {formatInteger(result.discrepancies.length)} of{' '}
              {formatInteger(result.total_discrepancies)} discrepancies. Fix these and run the audit again, or select a
              shorter date range.
            </Banner>
          )}
          <AuditFigures result={result} />
          <Discrepancies result={result} search={search} onChange={onChange} />
          <EarnerSummary result={result} search={search} onChange={onChange} />
        </div>
      )}
    </QueryView>
  )
}

/** A thin bar in reserved space, so that the layout does not shift. */
function RunningBar({ progress }: { progress: AuditProgress | null }) {
  return <Progress isBare label="Running the audit" done={progress?.done ?? 0} total={progress?.total ?? 1} />
}
