import { formatInteger, formatPercent } from '@limber/contract/kit/formats/numbers.ts'
import { type LeadStatus, LeadStep } from '@limber/contract/marketing/leads/lead.ts'
import type { FunnelStep } from '@limber/contract/marketing/leads/lead-analytics.ts'
import { type LeadRange, leadRangeLabels } from '@limber/contract/marketing/leads/lead-range.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import styles from './funnel-band.module.css'
import { funnelQuery } from './lead.api.ts'
import { errorTitle, spanText, statusLabels } from './lead-labels.ts'
import type { FunnelPart } from './lead-search.ts'

interface Props {
  range: LeadRange
  /** The part of the funnel that filters the list. */
  open: FunnelPart
  /** Filters the list by a part of the funnel; both values empty for all leads. */
  onOpen: (part: FunnelPart) => void
}

const shareOf = (step: FunnelStep, all: number) => (all === 0 ? 0 : (step.reached / all) * 100)

/** The typical time in a step; none for the final step. */
const durationText = ({ status, hours }: FunnelStep) =>
  status === 'converted'
    ? 'final step'
    : hours === null
      ? 'no one has moved on yet'
      : `typically ${spanText(hours * 60)}`

interface StepProps extends Pick<Props, 'open' | 'onOpen'> {
  name: LeadStep
  step: FunnelStep | undefined
  share: number
}

function Step({ name, step, share, open, onOpen }: StepProps) {
  const isReached = open.reached === name
  const isStanding = open.standing === name
  return (
    <li
      className={styles.item}
      data-open={isReached || isStanding || undefined}
      style={{ '--share': `${share}%` } as CSSProperties}
    >
      <button
        type="button"
        className={styles.step}
        aria-pressed={isReached}
        onClick={() => onOpen({ reached: isReached ? '' : name, standing: '' })}
      >
        <span className={styles.label}>{statusLabels[name]}</span>
        <span className={styles.value}>
          {step ? formatInteger(step.reached) : '--'}
          <span className={styles.share}>{step && formatPercent(share, 1)}</span>
        </span>
        <span className={styles.track} aria-hidden />
      </button>
      <p className={styles.note}>
        {step && (
          <>
            <NowButton status={name} count={step.here} open={open} onOpen={onOpen} />, {durationText(step)}
          </>
        )}
      </p>
    </li>
  )
}

interface NowProps extends Pick<Props, 'open' | 'onOpen'> {
  status: LeadStatus
  count: number
}

/** The number of leads in a status now; a click lists them. */
function NowButton({ status, count, open, onOpen }: NowProps) {
  const isOpen = open.standing === status
  return (
    <button
      type="button"
      className={styles.now}
      aria-pressed={isOpen}
      aria-label={`${formatInteger(count)} now in ${statusLabels[status]}`}
      onClick={() => onOpen({ reached: '', standing: isOpen ? '' : status })}
    >
      {formatInteger(count)} now
    </button>
  )
}

/** How many leads reached each step, and how long they stay there. Each number lists the leads that it counts. */
export function FunnelBand({ range, open, onOpen }: Props) {
  const query = useQuery(funnelQuery(range))
  const found = query.isError ? undefined : query.data
  const all = found?.conversion.total_leads ?? 0
  const isLostOpen = open.standing === 'not_interested'
  return (
    <section className={styles.band} aria-label={`Funnel, ${leadRangeLabels[range].toLowerCase()}`}>
      {query.isError && (
        <p className={styles.failed} role="alert">
          Funnel: {errorTitle(query.error)}
          <Button size="xs" variant="subtle" onClick={() => void query.refetch()}>
            Retry
          </Button>
        </p>
      )}
      <ol className={styles.steps}>
        {LeadStep.options.map((name) => {
          const step = found?.steps.find((one) => one.status === name)
          const share = step ? shareOf(step, all) : 0
          return <Step key={name} name={name} step={step} share={share} open={open} onOpen={onOpen} />
        })}
      </ol>
      <p className={styles.foot}>
        <span>
          Leads created in the {leadRangeLabels[range].toLowerCase()}, by the furthest step they reached, with the
          typical time in each step.
        </span>
        {found && (
          <button
            type="button"
            className={styles.lost}
            aria-pressed={isLostOpen}
            onClick={() => onOpen({ reached: '', standing: isLostOpen ? '' : 'not_interested' })}
          >
            {formatInteger(found.lost.count)} not interested
            {found.lost.reasons[0] && `, top reason: ${found.lost.reasons[0].reason}`}
          </button>
        )}
      </p>
    </section>
  )
}
