import type { UnusedBlock } from '@limber/contract/businesses/blocks/block.ts'
import { exportSessions, type SessionCalendar } from '@limber/contract/businesses/calendar/onsite-calendar.ts'
import { companyDay } from '@limber/contract/kit/company.ts'
import { formatInteger, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconBuildingStore, IconCalendarShare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { now } from '#platform/clock.ts'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useIntent } from '#platform/routing/intent.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { BlockSkeleton, ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { cx } from '#ui/layout/class-names.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { RecordButton } from '#ui/table/record-button.tsx'
import { unusedBlocksQuery } from '../blocks/block.api.ts'
import { businessesKey } from '../business/business.api.ts'
import { Placing } from '../planner/placing.tsx'
import { liftBlock, momentOf } from '../planner/plan.ts'
import plannerStyles from '../planner/planner.module.css'
import { PlannerLayers } from '../planner/planner-layers.tsx'
import { expiresSoon, Tray } from '../planner/tray.tsx'
import { type Dropped, usePlanner } from '../planner/use-planner.ts'
import { Agenda } from './agenda.tsx'
import { calendarFilter, calendarKey, calendarQuery } from './calendar.api.ts'
import styles from './calendar.module.css'
import { CalendarFilters } from './calendar-filters.tsx'
import { CalendarSearch } from './calendar-search.ts'
import { DayStrip } from './day-strip.tsx'
import { NoSessions } from './no-sessions.tsx'
import { daysOf, weekOf } from './week.ts'
import { WeekBar } from './week-bar.tsx'
import { WeekGrid } from './week-grid.tsx'

// Loads when a session is first opened.
const SessionDialog = lazy(() =>
  import('../sessions/session-dialog.tsx').then((file) => ({ default: file.SessionDialog })),
)

// Loads when the links are opened.
const FeedsDialog = lazy(() => import('../feeds/feeds-dialog.tsx'))

/** Below this width a column is too narrow for its content. */
const WIDE = '(min-width: 1200px)'
/** Below this width the blocks are in a dialog. */
const ROOMY = '(min-width: 1366px)'

/** The number of sessions and their fill rate. */
function summaryOf(calendar: SessionCalendar | undefined): string {
  if (!calendar || calendar.sessions.length === 0) return 'Sessions of all businesses, in their time zones.'
  const { sessions, isMore } = calendar
  const [taken, slots] = [sessions.map((one) => one.taken_slots), sessions.map((one) => one.slots)].map((all) =>
    all.reduce((sum, one) => sum + one, 0),
  )
  const count = isMore ? `More than ${formatInteger(sessions.length)} sessions` : pluralize(sessions.length, 'session')
  return `${count}, ${formatInteger(taken ?? 0)} of ${pluralize(slots ?? 0, 'slot')} taken.`
}

/** The on-site sessions of all businesses by week. */
export default function Sessions() {
  useLiveRefresh('businesses', businessesKey)
  // Stretchers who leave or lose a certification are no longer ready.
  useLiveRefresh('stretchers', calendarKey)
  useLiveRefresh('certifications', calendarKey)
  const [search, change] = useSearchState(CalendarSearch)
  const [isLinking, setLinking] = useState(false)
  const [isChoosing, setChoosing] = useState(false)
  const [dropped, setDropped] = useState<Dropped>()
  const isRoomy = useMediaQuery(ROOMY, true, { getInitialValueInEffect: false })
  useIntent('links', () => setLinking(true))
  const isWide = useMediaQuery(WIDE, true, { getInitialValueInEffect: false })
  const current = weekOf(companyDay(now()))
  const monday = search.week === '' ? current : weekOf(search.week)
  const query = useQuery(calendarQuery(monday, search))
  const isWeek = isWide && search.view === 'week'
  const isDay = !isWide && search.view === 'week'
  const open = (session: number) => change({ session })
  const unused = useQuery(unusedBlocksQuery)
  const onDrop = (to: Dropped) => {
    setDropped(to)
    if ('session' in to) open(to.session)
  }
  const onWeek = (week: string) => change({ week: week === current ? '' : week, day: '' }, { replace: true })
  const planner = usePlanner({ monday, onWeek, onDrop })
  const { lifted, spot } = planner
  const today = companyDay(now())
  const inWeek = (day: string) => day !== '' && weekOf(day) === monday
  const withSession = query.data?.sessions.map(({ day }) => day).sort()[0]
  /** What is being placed is always in sight. */
  const day = [lifted && spot ? spot.day : '', search.day, today, withSession ?? ''].find(inWeek) ?? monday
  const days = isDay ? [day] : daysOf(monday)
  const choose = (block: UnusedBlock) => {
    setChoosing(false)
    if (search.view === 'list') setDropped({ block, start: undefined })
    else if (lifted?.block?.id === block.id) planner.putBack()
    else planner.lift(liftBlock(block))
  }
  const stopChoosing = () => {
    setChoosing(false)
    setDropped(undefined)
  }
  /** A block chosen for a start that was clicked first. */
  const pick = (block: UnusedBlock) => {
    if (!dropped || !('pick' in dropped)) return choose(block)
    setDropped({ block, start: momentOf(dropped.pick, block.business.time_zone) })
  }
  const hasTray = isWeek && isRoomy
  const isUnfiltered = search.zone === 0 && search.stretcher === 0 && search.status === ''
  // An empty week is where the first session is placed.
  const first = isUnfiltered ? unused.data?.blocks[0] : undefined
  const hasGrid = (isWeek || isDay) && first !== undefined
  const soon = unused.data?.blocks.filter(expiresSoon).length ?? 0
  return (
    <>
      <PageHead
        title="On-site sessions"
        actions={
          <>
            {!hasTray && (
              <Button variant="default" onClick={() => setChoosing(true)}>
                Blocks to place
              </Button>
            )}
            <ExportButton
              call={exportSessions}
              query={calendarFilter(monday, search)}
              total={query.data?.sessions.length}
            />
            <Tooltip label="Calendar links">
              <ActionIcon variant="default" size={36} aria-label="Calendar links" onClick={() => setLinking(true)}>
                <Icon of={IconCalendarShare} />
              </ActionIcon>
            </Tooltip>
            <RecordButton
              to="/worker/managing/businesses"
              search={{}}
              needs="businesses.manage"
              icon={IconBuildingStore}
            >
              Businesses
            </RecordButton>
          </>
        }
      >
        {summaryOf(query.data)}
        {soon > 0 && ` ${pluralize(soon, 'block')} ${soon === 1 ? 'expires' : 'expire'} within 30 days.`}
      </PageHead>
      <SectionCard isFlush>
        <div className={cx(hasTray && plannerStyles.planner)}>
          {hasTray && (
            <div className={plannerStyles.tray}>
              <Placing planner={planner} />
              <Tray
                lifted={lifted?.block?.id}
                onDrag={(block) => (block ? planner.lift(liftBlock(block)) : planner.putBack())}
                onChoose={choose}
              />
            </div>
          )}
          <div className={styles.pane}>
            {!hasTray && lifted && (
              <div className={plannerStyles.above}>
                <Placing planner={planner} />
              </div>
            )}
            <div className={styles.tools}>
              <WeekBar monday={monday} current={current} search={search} onChange={change} isWide={isWide} />
              <CalendarFilters search={search} onChange={change} />
            </div>
            <QueryView
              query={query}
              failure="Couldn't load sessions"
              loading={isWeek || isDay ? <BlockSkeleton height={560} /> : <ListSkeleton rows={6} hasPicture={false} />}
              isEmpty={({ sessions }) => sessions.length === 0 && !hasGrid}
              empty={query.data && <NoSessions nearest={query.data} search={search} onChange={change} />}
            >
              {({ sessions, isMore }) => (
                <>
                  {isMore && (
                    <Banner kind="amber">
                      Only the first {formatInteger(sessions.length)} sessions of this week are shown. Select a zone or
                      a stretcher to see all of theirs.
                    </Banner>
                  )}
                  {hasGrid && sessions.length === 0 && !lifted && (
                    <p className={plannerStyles.first}>
                      No sessions this week.
                      <Button size="xs" variant="default" onClick={() => choose(first)}>
                        Place {first.business.name}
                      </Button>
                    </p>
                  )}
                  {isDay && (
                    <DayStrip
                      monday={monday}
                      day={day}
                      sessions={sessions}
                      onDay={(next) => change({ day: next }, { replace: true })}
                    />
                  )}
                  {isWeek || isDay ? (
                    <WeekGrid days={days} planner={planner} sessions={sessions} onOpen={open} />
                  ) : (
                    <Agenda sessions={sessions} onOpen={open} />
                  )}
                </>
              )}
            </QueryView>
          </div>
        </div>
      </SectionCard>
      <Suspense>
        {isLinking && <FeedsDialog onClose={() => setLinking(false)} />}
        {search.session > 0 && (
          <SessionDialog
            key={search.session}
            sessionId={search.session}
            start={dropped && 'session' in dropped && dropped.session === search.session ? dropped.start : undefined}
            onClose={() => {
              setDropped(undefined)
              change({ session: 0 })
            }}
          />
        )}
      </Suspense>
      <PlannerLayers dropped={dropped} isChoosing={isChoosing} onChoose={pick} onClose={stopChoosing} />
    </>
  )
}
