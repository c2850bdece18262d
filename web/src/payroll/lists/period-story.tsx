import { daysBetween } from '@limber/contract/kit/days.ts'
import { formatDayRange } from '@limber/contract/kit/formats/dates.ts'
import { formatInteger, formatList, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { PeriodStory as Story } from '@limber/contract/payroll/entries/period-story.ts'
import { ActionIcon, Button } from '@mantine/core'
import {
  IconChevronLeft,
  IconChevronRight,
  IconCircleCheck,
  IconClockExclamation,
  IconFileUnknown,
  IconLockOpen,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { RecordLink } from '#platform/routing/record-link.tsx'
import { Change } from '#ui/charts/change.tsx'
import { type Stat, StatStrip } from '#ui/charts/stat-strip.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { BlockSkeleton } from '#ui/feedback/skeleton.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { type WorkItem, WorkList } from '#ui/feedback/work-list.tsx'
import { useFigure } from '#ui/figures/use-figure.ts'
import { dayText } from '#ui/format/day-text.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { Dollars, dollarsText } from '../dollars.tsx'
import { labelOf, today } from '../labels.ts'
import { storyQuery } from '../payroll.api.ts'
import type { DetailsSearch } from './details-search.ts'
import styles from './period-story.module.css'
import { EarnerLink } from './record-links.tsx'

const PayrollFigure = lazy(() => import('./payroll-figure.tsx'))

type ChangeSearch = (part: Partial<DetailsSearch>) => void

const rangeOf = ({ starts_on, ends_on }: Story['period']) => formatDayRange(starts_on, ends_on)

/** More entries can still come. */
const isRunning = ({ ends_on }: Story['period']) => ends_on >= today()

/** When the period is paid, counted from today. */
export function payText({ pay_date, status }: Pick<Story['period'], 'pay_date' | 'status'>, day: string): string {
  const days = daysBetween(day, pay_date)
  const on = dayText(pay_date)
  if (days > 1) return `Will be paid on ${on}, in ${days} days.`
  if (days === 1) return `Will be paid tomorrow, ${on}.`
  if (days === 0) return 'Is paid today.'
  return `Was paid on ${on}${status === 'closed' ? ' and is closed' : ''}.`
}

/** The story in one sentence. */
export function storyText({ period, totals, totals_before: past }: Story): string {
  const counts = `${pluralize(totals.earners, 'earner')}, ${pluralize(totals.entries, 'entry', 'entries')}`
  const paid = isRunning(period) ? `${counts} so far` : counts
  if (!past) return `${paid}. There is no period before to compare with.`
  const more = totals.amount - past.amount
  if (more === 0) return `${paid}. The same pay as in the period before.`
  return `${paid}. ${dollarsText(Math.abs(more))} ${more > 0 ? 'more' : 'less'} than in the period before.`
}

function stats({ totals, totals_before: past }: Story, open: (name: string) => void): Stat[] {
  const stat = (id: string, label: string, value: number, before: number | undefined): Stat => ({
    id,
    label,
    value: <Dollars of={value} />,
    ...(before !== undefined && {
      change: <Change by={value - before} text={dollarsText(Math.abs(value - before))} good="neither" />,
    }),
    onOpen: () => open(id),
  })
  return [
    stat('periodEarnings', 'Gross pay', totals.amount, past?.amount),
    stat('periodWithheld', 'Withheld from earners', totals.withheld_tax, past?.withheld_tax),
    stat('periodEmployerTaxes', 'Employer taxes', totals.employer_tax, past?.employer_tax),
    stat('periodNetPay', 'Net pay', totals.net_pay, past?.net_pay),
  ]
}

function Paid({ story: { period, types }, change }: { story: Story; change: ChangeSearch }) {
  if (types.length === 0) return <p className={styles.calm}>No entries yet.</p>
  return (
    <ul className={styles.lines} aria-label="Paid by type">
      {types.map(({ type, entries, amount, amount_before }) => (
        <li key={type}>
          <button type="button" className={styles.link} onClick={() => change({ period: period.id, type })}>
            {labelOf(type)}
          </button>
          <Dollars of={amount} />
          <span className={styles.note}>{pluralize(entries, 'entry', 'entries')}</span>
          <span className={styles.note}>
            <Dollars of={amount - amount_before} isSigned />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Changed({ story: { period, before, changes }, change }: { story: Story; change: ChangeSearch }) {
  if (!before) return <p className={styles.calm}>This is the first pay period.</p>
  if (changes.length === 0) return <p className={styles.calm}>Every earner is paid the same as in the period before.</p>
  return (
    <ul className={styles.lines} aria-label="Largest changes">
      {changes.map(({ earner_id, name, amount, amount_before }) => (
        <li key={earner_id}>
          <button
            type="button"
            className={styles.link}
            onClick={() => change({ period: period.id, earner: earner_id })}
          >
            {name}
          </button>
          <Dollars of={amount - amount_before} isSigned />
          <span className={styles.note}>
            {amount_before === 0
              ? 'not paid before'
              : amount > 0
                ? `was ${dollarsText(amount_before)}`
                : isRunning(period)
                  ? 'nothing yet'
                  : 'not paid this time'}
          </span>
        </li>
      ))}
    </ul>
  )
}

const link = (to: ReactNode) => <span className={styles.action}>{to}</span>

/** What should be done before the period is paid or closed. */
function openItems({ period, open }: Story, change: ChangeSearch): WorkItem[] {
  const { overdue, without_profile: without, open_periods: periods } = open
  const names = without.earners.map(({ name }) => name)
  const rest = without.count - names.length
  return [
    ...(overdue.entries > 0
      ? [
          {
            id: 'overdue',
            icon: IconClockExclamation,
            meaning: 'red' as const,
            title: `${pluralize(overdue.entries, 'entry is', 'entries are')} not paid yet`,
            why: `${dollarsText(overdue.amount)}, due on ${dayText(period.pay_date)}. The period cannot be closed.`,
            actions: (
              <Button size="xs" variant="default" onClick={() => change({ period: period.id, status: 'pending' })}>
                Show entries
              </Button>
            ),
          },
        ]
      : []),
    ...(without.count > 0
      ? [
          {
            id: 'profiles',
            icon: IconFileUnknown,
            meaning: 'amber' as const,
            title: `${pluralize(without.count, 'earner has', 'earners have')} no tax profile`,
            why: `Taxes are withheld as single with no allowances: ${formatList(rest > 0 ? [...names, `${formatInteger(rest)} more`] : names)}.`,
            actions: link(<EarnerLink id={without.earners[0]?.id ?? 0} name="Record profile" />),
          },
        ]
      : []),
    ...(periods > 0
      ? [
          {
            id: 'periods',
            icon: IconLockOpen,
            title: `${pluralize(periods, 'earlier paid period is', 'earlier paid periods are')} still open`,
            why: 'Fixes of their entries can still be undone.',
            actions: link(
              <RecordLink to="/worker/financial/periods" search={{}} needs={['payroll.audit', 'payroll.details']}>
                Pay periods
              </RecordLink>,
            ),
          },
        ]
      : []),
  ]
}

function Content({ story, change }: { story: Story; change: ChangeSearch }) {
  const { period, before, next_id: next } = story
  const state = useFigure()
  const items = openItems(story, change)
  return (
    <section className={styles.story} aria-label={`Pay period ${rangeOf(period)}`}>
      <div className={styles.head}>
        <ActionIcon
          variant="default"
          size={32}
          aria-label="Earlier pay period"
          disabled={!before}
          onClick={() => before && change({ period: before.id })}
        >
          <Icon of={IconChevronLeft} />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size={32}
          aria-label="Later pay period"
          disabled={next === null}
          onClick={() => next !== null && change({ period: next })}
        >
          <Icon of={IconChevronRight} />
        </ActionIcon>
        <div className={styles.who}>
          <h2>
            {rangeOf(period)}{' '}
            <StatusBadge meaning={period.status === 'open' ? 'green' : 'plain'}>{labelOf(period.status)}</StatusBadge>
          </h2>
          <p>
            {payText(period, today())} {storyText(story)}
          </p>
        </div>
      </div>
      <StatStrip label="Totals of the pay period" stats={stats(story, (name) => state.onOpen(name, period.id))} />
      <div className={styles.parts}>
        <SectionCard title="What is paid" isFlush>
          <Paid story={story} change={change} />
        </SectionCard>
        <SectionCard title="What changed" isFlush {...(before && { count: `since ${rangeOf(before)}` })}>
          <Changed story={story} change={change} />
        </SectionCard>
        <SectionCard title="What is open" isFlush>
          {items.length > 0 ? (
            <WorkList label="Open in this pay period" items={items} />
          ) : (
            <p className={styles.calm}>
              <Icon of={IconCircleCheck} /> Nothing is open in this pay period.
            </p>
          )}
        </SectionCard>
      </div>
      {state.figure && (
        <Suspense fallback={null}>
          <PayrollFigure
            state={state}
            from=""
            to=""
            periods={[{ id: period.id, startsOn: period.starts_on, endsOn: period.ends_on }]}
          />
        </Suspense>
      )}
    </section>
  )
}

/** What a pay period pays, what changed, and what is open. Without a period, the next one to be paid. */
export function PeriodStory({ period, change }: { period: number; change: ChangeSearch }) {
  const query = useQuery(storyQuery(period))
  return (
    <QueryView query={query} failure="Couldn't load the pay period" loading={<BlockSkeleton height={320} />}>
      {({ story }) => story && <Content story={story} change={change} />}
    </QueryView>
  )
}
