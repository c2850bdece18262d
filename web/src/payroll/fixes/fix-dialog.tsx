import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { AuditResult, FixPreview } from '@limber/contract/payroll/audit/audit.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { IconFingerprint, IconRefresh } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { CallFailure } from '#platform/api/call-failure.ts'
import { StatStrip } from '#ui/charts/stat-strip.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { type LineRef, previewQuery, useFix } from '../audit/audit.api.ts'
import { Dollars } from '../dollars.tsx'
import { entryName } from '../labels.ts'
import styles from './fix-dialog.module.css'
import { FixEarners } from './fix-earners.tsx'
import { type FixLine, linesOf } from './fix-line.ts'
import { FixLines } from './fix-lines.tsx'
import { useUndoFix } from './use-undo-fix.ts'

interface Props {
  /** The audit on screen when the dialog was opened. */
  result: AuditResult
  /** Fixes only this entry. */
  entry?: number
  /** Runs the audit again. */
  onReview: () => Promise<AuditResult | undefined>
  onClose: () => void
}

const isChanged = (error: unknown) => error instanceof CallFailure && error.code === 'figures_changed'

function Totals({ preview }: { preview: UseQueryResult<FixPreview> }) {
  const { data, isFetching } = preview
  const stats = [
    { id: 'entries', label: 'Entries', value: data ? formatInteger(data.entries) : '--' },
    { id: 'lines', label: 'Adjustments', value: data ? formatInteger(data.lines) : '--' },
    { id: 'employee', label: 'Employee, net', value: <Dollars of={data?.employee_total} isSigned /> },
    { id: 'employer', label: 'Employer, net', value: <Dollars of={data?.employer_total} isSigned /> },
  ]
  return (
    <div className={styles.totals} aria-busy={isFetching}>
      <StatStrip label="Fix totals" stats={stats} />
    </div>
  )
}

function UndoNote({ preview }: { preview: FixPreview | undefined }) {
  if (!preview) return null
  if (preview.closed_lines > 0) {
    return (
      <Banner kind="amber">
        {pluralize(preview.closed_lines, 'line is', 'lines are')} in closed pay periods. You can fix them, but a fix
        that includes them cannot be undone.
      </Banner>
    )
  }
  return (
    <Banner>
      Paid entries do not change. Each line adds one adjustment. The next pay run pays or withholds the difference and
      corrects the tax deposit. You can undo the fix while the pay periods are open.
    </Banner>
  )
}

/** Previews the adjustments of all entries, or of one. Lines can be left out. Nothing is saved before Apply. */
export default function FixDialog({ result, entry, onReview, onClose }: Props) {
  const [seen, setSeen] = useState(result)
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set())
  const [view, setView] = useState('lines')
  const [isReviewing, setReviewing] = useState(false)
  const fix = useFix()
  const undo = useUndoFix()
  const { lines, others } = useMemo(() => {
    const isOther = ({ payrollId }: FixLine) => entry !== undefined && payrollId !== entry
    const all = linesOf(seen)
    return { lines: all.filter((line) => !isOther(line)), others: all.filter(isOther) }
  }, [seen, entry])
  const leftOut = lines.filter(({ key }) => excluded.has(key)).length
  const exclude = useMemo(
    (): LineRef[] =>
      [...others, ...lines.filter(({ key }) => excluded.has(key))].map(({ payrollId, side }) => ({
        payroll_id: payrollId,
        side,
      })),
    [lines, others, excluded],
  )
  const preview = useQuery(previewQuery(seen, useDeferredValue(exclude)))
  const body = useMemo(() => ({ ...seen, exclude }), [seen, exclude])
  const selectedCount = lines.length - leftOut
  const failure = fix.error ?? preview.error

  const review = async () => {
    setReviewing(true)
    const fresh = await onReview()
    setReviewing(false)
    fix.reset()
    if (!fresh) return
    setSeen(fresh)
    setExcluded(new Set())
    if (fresh.total_discrepancies === 0) {
      toast('There are no discrepancies left to fix.')
      onClose()
    }
  }
  const apply = () =>
    fix.mutate(body, {
      onSuccess: ({ applied, operation_id, can_undo }) => {
        toast(`${pluralize(applied, 'adjustment')} applied.`, {
          ...(can_undo && operation_id ? { action: { label: 'Undo', run: () => undo(operation_id) } } : {}),
        })
        onClose()
      },
    })
  const proof = (
    <span className={styles.proof}>
      <Icon of={IconFingerprint} />
      Requires your passkey
    </span>
  )
  const foot = (
    <>
      {proof}
      <Button variant="default" onClick={onClose} disabled={fix.isPending}>
        Cancel
      </Button>
      <Button
        loading={fix.isPending}
        disabled={selectedCount === 0 || preview.isFetching || preview.isError || isReviewing}
        onClick={apply}
      >
        Apply {pluralize(selectedCount, 'adjustment')}
      </Button>
    </>
  )
  return (
    <Dialog
      isOpen
      onClose={() => !fix.isPending && onClose()}
      title={entry === undefined ? 'Fix All: preview' : `Fix ${entryName(entry)}: preview`}
      context="Nothing is saved yet. Every line is recalculated before it is saved."
      size={760}
      foot={foot}
      closesOnOutside={false}
    >
      <div className={styles.body}>
        {failure && (
          <Banner
            kind="red"
            {...(isChanged(failure)
              ? {
                  action: (
                    <Button
                      variant="default"
                      size="xs"
                      leftSection={<Icon of={IconRefresh} />}
                      loading={isReviewing}
                      onClick={() => void review()}
                    >
                      Review again
                    </Button>
                  ),
                }
              : {})}
          >
            {fix.error ? 'Failed to fix discrepancies.' : "Couldn't load the preview."} {messageOf(failure)}
          </Banner>
        )}
        <Totals preview={preview} />
        <div className={styles.bar}>
          <SegmentedControl
            aria-label="Show"
            data={[
              { value: 'lines', label: 'All lines' },
              { value: 'earners', label: 'By earner' },
            ]}
            value={view}
            onChange={setView}
          />
          <span className={styles.chosen} role="status">
            {excluded.size === 0
              ? `All ${pluralize(lines.length, 'line')}`
              : `${formatInteger(selectedCount)} of ${pluralize(lines.length, 'line')} selected`}
          </span>
          {leftOut > 0 && (
            <Button variant="default" size="xs" onClick={() => setExcluded(new Set())}>
              Select all
            </Button>
          )}
        </div>
        {view === 'lines' ? (
          <FixLines lines={lines} excluded={excluded} onExclude={setExcluded} isLocked={fix.isPending} />
        ) : (
          <FixEarners preview={preview} />
        )}
        <UndoNote preview={preview.data} />
        {proof}
      </div>
    </Dialog>
  )
}
