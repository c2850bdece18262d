import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import {
  type TimelineEntry,
  type TimelineGroup,
  timelineGroupLabels,
} from '@limber/contract/support/timeline/timeline.ts'
import { ActionIcon, Button, Popover, TextInput } from '@mantine/core'
import { IconCalendarSearch, IconChevronDown, IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { now } from '#platform/clock.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { dayText } from '#ui/format/day-text.ts'
import { groupByDay } from '#ui/format/group-by-day.ts'
import { isPageKey } from '#ui/keyboard/is-page-key.ts'
import { useWindowKeys } from '#ui/keyboard/use-window-keys.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { useRowNavigation } from '#ui/table/row-navigation.ts'
import { newestQuery, type TimelineFilter, timelineCountsQuery, timelineQuery } from './timeline.api.ts'
import styles from './timeline.module.css'
import { TimelineLine } from './timeline-entry.tsx'
import { useTimelineNews } from './use-timeline-news.ts'

const TOP = 80
/** Bursts of live messages cause one request. */
const SETTLE = 400

/** How many entries are newer than the shown ones; at the top of the page they are shown at once. */
function useNewEntries(id: number, filter: TimelineFilter, shown: readonly TimelineEntry[]) {
  const cache = useQueryClient()
  const [count, setCount] = useState(0)
  const keys = timelineQuery(id, filter).queryKey
  const show = () => {
    setCount(0)
    void cache.invalidateQueries({ queryKey: keys })
    void cache.invalidateQueries({ queryKey: timelineCountsQuery(id).queryKey })
  }
  const look = async () => {
    if (window.scrollY < TOP) return show()
    const { entries } = await cache.fetchQuery(newestQuery(id, filter))
    const known = new Set(shown.map(({ key }) => key))
    setCount(entries.filter(({ key }) => !known.has(key)).length)
  }
  useTimelineNews(id, () => void look().catch(() => {}), SETTLE)
  const showNew = () => {
    window.scrollTo({ top: 0 })
    show()
  }
  return { count, showNew, refresh: show }
}

function Chips({
  id,
  group,
  onGroup,
}: {
  id: number
  group: TimelineGroup | undefined
  onGroup(next?: TimelineGroup): void
}) {
  const { data } = useQuery(timelineCountsQuery(id))
  const groups = data?.groups ?? []
  const total = groups.reduce((sum, { count }) => sum + count, 0)
  const isMore = groups.some((one) => one.isMore)
  useWindowKeys((event) => {
    if (!isPageKey(event)) return
    const place = Number(event.key)
    if (place === 1) onGroup(undefined)
    else if (place >= 2 && groups[place - 2]) onGroup(groups[place - 2]?.group)
  })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll sideways in all browsers
    <div className={styles.chips} role="group" aria-label="Show only">
      <button
        type="button"
        className={styles.chip}
        aria-pressed={group === undefined}
        aria-keyshortcuts="1"
        onClick={() => onGroup(undefined)}
      >
        All {data && <span>{isMore ? '999+' : total}</span>}
      </button>
      {groups.map((one, index) => (
        <button
          key={one.group}
          type="button"
          aria-keyshortcuts={String(index + 2)}
          className={styles.chip}
          aria-pressed={group === one.group}
          onClick={() => onGroup(one.group === group ? undefined : one.group)}
        >
          {timelineGroupLabels[one.group]} <span>{one.isMore ? '999+' : one.count}</span>
        </button>
      ))}
    </div>
  )
}

function JumpToDay({ until, onUntil }: { until: string | undefined; onUntil(day?: string): void }) {
  const [isOpen, setOpen] = useState(false)
  useWindowKeys((event) => {
    if (event.key !== 'G' || !isPageKey(event)) return
    event.preventDefault()
    setOpen(true)
  })
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" trapFocus>
      <Popover.Target>
        <ActionIcon
          variant="default"
          size={32}
          aria-label="Jump to date, Shift G"
          aria-keyshortcuts="Shift+G"
          onClick={() => setOpen(!isOpen)}
        >
          <Icon of={IconCalendarSearch} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <TextInput
          type="date"
          label="Jump to date"
          data-autofocus
          value={until ?? ''}
          onChange={({ currentTarget }) => onUntil(currentTarget.value || undefined)}
          onKeyDown={(event) => event.key === 'Enter' && setOpen(false)}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

/** Loads the next page when its button comes into view. */
function EarlierButton({ isLoading, onLoad }: { isLoading: boolean; onLoad(): void }) {
  const button = useRef<HTMLButtonElement>(null)
  const load = useEffectEvent(onLoad)
  useEffect(() => {
    if (!button.current || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) load()
      },
      { rootMargin: '600px' },
    )
    observer.observe(button.current)
    return () => observer.disconnect()
  }, [])
  return (
    <button ref={button} type="button" className={styles.gap} disabled={isLoading} onClick={onLoad}>
      <Icon of={IconChevronDown} size={14} /> {isLoading ? 'Loading earlier entries' : 'Show earlier entries'}
    </button>
  )
}

interface Props {
  id: number
  /** The only group, for a tab of the customer. */
  group?: TimelineGroup
  /** The account was erased or merged. */
  isClosed?: boolean
}

/** Everything that happened to a customer and that the reader may see. */
export default function Timeline({ id, group: only, isClosed = false }: Props) {
  const [chosen, setChosen] = useState<TimelineGroup>()
  const [search, setSearch] = useState('')
  const [until, setUntil] = useState<string>()
  const [open, setOpen] = useState<string>()
  const group = only ?? chosen
  const filter: TimelineFilter = { ...(group && { group }), ...(search && { search }), ...(until && { until }) }
  const query = useInfiniteQuery(timelineQuery(id, filter))
  const pages = query.data?.pages
  const entries = useMemo(() => pages?.flatMap((page) => page.entries) ?? [], [pages])
  const days = useMemo(() => groupByDay(entries, now()), [entries])
  const failed = [...new Set(pages?.flatMap((page) => page.failed))]
  const { count, showNew, refresh } = useNewEntries(id, filter, entries)
  const latestRefresh = useRef(refresh)
  useEffect(() => {
    latestRefresh.current = refresh
  })
  const toggle = useCallback((key: string, isOpen: boolean) => {
    setOpen(isOpen ? undefined : key)
    if (isOpen) latestRefresh.current()
  }, [])
  const list = useRef<HTMLDivElement>(null)
  useRowNavigation(list)
  const isFiltered = Object.keys(filter).length > (only ? 1 : 0)
  const clear = () => {
    setChosen(undefined)
    setSearch('')
    setUntil(undefined)
  }
  const Heading = only ? 'h3' : 'h2'
  const what = group ? timelineGroupLabels[group].toLowerCase() : 'entries'
  return (
    <section className={styles.card} aria-label="Timeline">
      <div className={styles.tools}>
        {only ? <h2 className={styles.title}>Timeline</h2> : <Chips id={id} group={chosen} onGroup={setChosen} />}
        <div className={styles.find}>
          <SearchField label="Search timeline" placeholder="Search timeline" value={search} onFind={setSearch} />
          <JumpToDay until={until} onUntil={setUntil} />
        </div>
      </div>
      {failed.length > 0 && (
        <div className={styles.failed}>
          <Banner
            kind="amber"
            action={
              <Button size="xs" variant="default" onClick={() => void query.refetch()}>
                Retry
              </Button>
            }
          >
            {failed.join(', ')} could not be loaded
          </Banner>
        </div>
      )}
      {until && (
        <button type="button" className={styles.gap} onClick={() => setUntil(undefined)}>
          Up to {dayText(until)}. Show newer entries
        </button>
      )}
      {count > 0 && (
        <button type="button" className={styles.fresh} onClick={showNew}>
          {pluralize(count, 'new entry', 'new entries')}
        </button>
      )}
      <QueryView
        query={query}
        loading={
          <div className={styles.loading}>
            <ListSkeleton rows={8} />
          </div>
        }
        failure="Couldn't load the timeline"
        isEmpty={() => entries.length === 0}
        empty={
          <EmptyState
            icon={IconHistory}
            title={isFiltered ? `No ${what}${until ? ` before ${dayText(until)}` : ''}` : 'No activity yet'}
            action={
              isFiltered && (
                <Button variant="default" onClick={clear}>
                  Clear filter
                </Button>
              )
            }
          >
            {isFiltered ? 'Try another filter or date.' : 'Bookings, messages, and changes appear here.'}
          </EmptyState>
        }
      >
        {() => (
          <div ref={list}>
            {days.map((day) => (
              <section key={day.id} className={styles.day} aria-label={day.title}>
                <Heading className={styles.heading}>
                  {day.title} {day.date && <small>{day.date}</small>}
                </Heading>
                <ol className={styles.list}>
                  {day.entries.map((entry) => (
                    <TimelineLine
                      key={entry.key}
                      customerId={id}
                      entry={entry}
                      form={day.form}
                      isPlanned={day.id === 'planned'}
                      isOpen={open === entry.key}
                      isClosed={isClosed}
                      onToggle={toggle}
                    />
                  ))}
                </ol>
              </section>
            ))}
            {query.hasNextPage ? (
              <EarlierButton isLoading={query.isFetchingNextPage} onLoad={() => void query.fetchNextPage()} />
            ) : (
              <p className={styles.foot}>You see everything your role allows.</p>
            )}
          </div>
        )}
      </QueryView>
    </section>
  )
}
