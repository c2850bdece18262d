import { companyDay } from '@limber/contract/kit/company.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import { formatList, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { LiveTopic } from '@limber/contract/kit/live.ts'
import { Button } from '@mantine/core'
import { IconCalendarEvent } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useEffectEvent, useRef } from 'react'
import { now } from '#platform/clock.ts'
import { listenLive } from '#platform/live/live.ts'
import { linkTo } from '#platform/routing/links.ts'
import type { TodayItem, TodayNote, TodayNumber, TodaySource } from '#platform/routing/sections.ts'
import { hasAccess, type Session, useSession } from '#platform/session/session.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { useRowNavigation } from '#ui/table/row-navigation.ts'
import { useRegistry } from '../section-registry.ts'
import styles from './today.module.css'
import { NeedList, NoteList, NumberList } from './today-list.tsx'
import { inOrder, parts } from './today-order.ts'

const SetupGuide = lazy(() => import('#company/setup-guide.tsx'))

interface Found {
  needs: TodayItem[]
  numbers: TodayNumber[]
  sessions: TodayNote[]
  changes: TodayNote[]
  /** What could not be loaded. */
  missing: string[]
}

async function findAll(sources: readonly TodaySource[], session: Session, signal: AbortSignal): Promise<Found> {
  const found: Found = { needs: [], numbers: [], sessions: [], changes: [], missing: [] }
  const add = async (source: TodaySource) => {
    if (source.group === 'needs') found.needs.push(...(await source.find(signal, session)))
    else if (source.group === 'numbers') found.numbers.push(...(await source.find(signal, session)))
    else found[source.group].push(...(await source.find(signal, session)))
  }
  const ends = await Promise.allSettled(sources.map(add))
  return { ...found, missing: sources.filter((_, at) => ends[at]?.status === 'rejected').map(({ what }) => what) }
}

const CALM = 2_000

/** Calls back soon after something changes. Changes come in bursts. */
function useLiveTopics(topics: readonly LiveTopic[], refresh: () => void) {
  const wanted = [...new Set(topics)].join(' ')
  const go = useEffectEvent(refresh)
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined
    const hear = () => {
      clearTimeout(waiting)
      waiting = setTimeout(() => go(), CALM)
    }
    const stops = wanted
      .split(' ')
      .filter(Boolean)
      .map((topic) => listenLive(topic as LiveTopic, hear))
    return () => {
      clearTimeout(waiting)
      for (const stop of stops) stop()
    }
  }, [wanted])
}

/** What needs this worker, from every area they can see, in order and each with its next step. */
export default function Today() {
  const session = useSession()
  const { todaySources } = useRegistry()
  const cache = useQueryClient()
  const list = useRef<HTMLDivElement>(null)
  useRowNavigation(list)
  const sources = todaySources.filter((source) => hasAccess(session, source.permission))
  const queryKey = ['today', session.workerId, sources.map((source) => source.id)]
  const query = useQuery({ queryKey, queryFn: ({ signal }) => findAll(sources, session, signal) })
  const refresh = () => void cache.invalidateQueries({ queryKey: ['today'] })
  useLiveTopics(
    sources.flatMap(({ topic }) => topic ?? []),
    refresh,
  )
  const { numbers = [], sessions = [], changes = [] } = query.data ?? {}
  const byPart = inOrder(query.data?.needs ?? [], now())
  const count = [...byPart.values()].flat().length
  const first = parts.flatMap(({ part }) => byPart.get(part) ?? [])[0]
  const dueToday = byPart.get('today')?.length ?? 0
  return (
    <>
      <PageHead title="Managing Admin Dashboard">
        {formatDay(companyDay(now()), { now: now(), hasWeekday: true })}
        {count > 0 && `. ${pluralize(count, 'thing needs', 'things need')} you, ${dueToday} of them today.`}
      </PageHead>
      <div className={styles.page}>
        <div className={styles.main} ref={list}>
          <Suspense>
            <SetupGuide />
          </Suspense>
          <QueryView
            query={query}
            loading={
              <SectionCard title="Today" isFlush hasLine>
                <ListSkeleton />
              </SectionCard>
            }
          >
            {({ missing }) => (
              <>
                {missing.length > 0 && (
                  <Banner
                    kind="amber"
                    action={
                      <Button
                        variant="default"
                        size="xs"
                        loading={query.isFetching}
                        onClick={() => void query.refetch()}
                      >
                        Retry
                      </Button>
                    }
                  >
                    Couldn't load {formatList(missing)}. Try again.
                  </Banner>
                )}
                {count === 0 && missing.length === 0 && (
                  <SectionCard title="Today" hasLine>
                    <EmptyState icon={IconCalendarEvent} title="Nothing needs your attention right now.">
                      {sessions[0] && `Next: ${sessions[0].title}, ${sessions[0].when}`}
                    </EmptyState>
                  </SectionCard>
                )}
                {parts.map(({ part, title }) => {
                  const items = byPart.get(part) ?? []
                  return (
                    items.length > 0 && (
                      <SectionCard key={part} title={title} count={items.length} isFlush hasLine>
                        <NeedList label={title} items={items} first={first} onDone={refresh} />
                      </SectionCard>
                    )
                  )
                })}
              </>
            )}
          </QueryView>
        </div>
        <aside className={styles.side} aria-label="At a glance">
          {numbers.length > 0 && (
            <SectionCard title="Numbers">
              <NumberList numbers={numbers} />
            </SectionCard>
          )}
          {sessions.length > 0 && (
            <SectionCard
              title="On-site sessions"
              actions={<Link {...linkTo('/worker/managing/businesses/sessions')}>Week</Link>}
            >
              <NoteList label="On-site sessions" notes={sessions} />
            </SectionCard>
          )}
          {changes.length > 0 && (
            <SectionCard
              title="Recent changes"
              actions={<Link {...linkTo('/worker/tech/access/audit')}>Audit log</Link>}
            >
              <NoteList label="Recent changes" notes={changes} />
            </SectionCard>
          )}
        </aside>
      </div>
    </>
  )
}
