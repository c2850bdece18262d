import type { LeadStatus } from '@limber/contract/marketing/lead.ts'
import { type FunnelStep, type LeadRange, leadRangeWords } from '@limber/contract/marketing/lead-analytics.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { CSSProperties } from 'react'
import { cx } from '#ui/class-names.ts'
import { whole } from '#ui/counted.ts'
import styles from './funnel-band.module.css'
import { funnelQuery } from './lead.api.ts'
import { errorTitle, percentText, spanText, statusWords } from './words.ts'

interface Props {
  range: LeadRange
  status: LeadStatus | ''
  onStatus: (status: LeadStatus | '') => void
}

const steps = ['new', 'onboarding_started', 'onboarding_completed', 'contacted', 'converted'] as const

const shareOf = (step: FunnelStep, all: number) => (all === 0 ? 0 : (step.reached / all) * 100)

/** How long a step takes, as a rule; the last one is the end of the way. */
const stayText = ({ status, hours }: FunnelStep) =>
  status === 'converted' ? 'the end' : hours === null ? 'nobody left it yet' : `${spanText(hours * 60)} here`

/** The way of the leads of a range: how many came so far, and how long each step holds them. A step filters the list. */
export function FunnelBand({ range, status, onStatus }: Props) {
  const query = useQuery(funnelQuery(range))
  const found = query.isError ? undefined : query.data
  const all = found?.steps[0]?.reached ?? 0
  return (
    <section className={styles.band} aria-label={`Funnel, ${leadRangeWords[range].toLowerCase()}`}>
      {query.isError && (
        <p className={styles.failed} role="alert">
          Funnel: {errorTitle(query.error)}
          <Button size="xs" variant="subtle" onClick={() => void query.refetch()}>
            Retry
          </Button>
        </p>
      )}
      <ol className={styles.steps}>
        {steps.map((name) => {
          const step = found?.steps.find((one) => one.status === name)
          const share = step ? shareOf(step, all) : 0
          return (
            <li key={name} className={styles.item}>
              <button
                type="button"
                className={styles.step}
                aria-pressed={status === name}
                style={{ '--share': `${share}%` } as CSSProperties}
                onClick={() => onStatus(status === name ? '' : name)}
              >
                <span className={styles.label}>{statusWords[name]}</span>
                <span className={styles.value}>
                  {step ? whole(step.reached) : '--'}
                  <span className={styles.share}>{step && percentText(share)}</span>
                </span>
                <span className={styles.track} aria-hidden />
                <span className={styles.note}>{step ? `${whole(step.here)} now, ${stayText(step)}` : ' '}</span>
              </button>
            </li>
          )
        })}
      </ol>
      <p className={styles.foot}>
        <span>
          Leads that came in the {leadRangeWords[range].toLowerCase()}, by how far they got, with the usual time in each
          step.
        </span>
        {found && (
          <button
            type="button"
            className={cx(styles.lost)}
            aria-pressed={status === 'not_interested'}
            onClick={() => onStatus(status === 'not_interested' ? '' : 'not_interested')}
          >
            {whole(found.lost.count)} not interested
            {found.lost.reasons[0] && `, most often: ${found.lost.reasons[0].reason}`}
          </button>
        )}
      </p>
    </section>
  )
}
