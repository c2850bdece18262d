import { companyDay } from '@limber/contract/kit/company.ts'
import { formatDay } from '@limber/contract/kit/formats/dates.ts'
import { formatList } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import { IconCalendarEvent } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { now } from '#platform/clock.ts'
import type { TodayGroup, TodayItem } from '#platform/routing/sections.ts'
import { hasAccess, useSession } from '#platform/session/session.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { useRegistry } from '../section-registry.ts'
import styles from './today.module.css'
import { TodayList } from './today-list.tsx'

const SetupGuide = lazy(() => import('#company/setup-guide.tsx'))

interface Found extends TodayItem {
  group: TodayGroup
}

/** Groups that need attention, in this order. Changes by others need none and are shown separately. */
const groups = [
  { group: 'mine', title: 'Your work' },
  { group: 'sessions', title: 'On-site sessions' },
  { group: 'warnings', title: 'Warnings' },
] as const

/** Drops items that another area covers in more detail. */
function withoutCovered(items: readonly Found[]): Found[] {
  const covered = new Set(items.map(({ covers }) => covers))
  return items.filter(({ id }) => !covered.has(id))
}

/** What needs this worker's attention, from every area they can see. */
export default function Today() {
  const session = useSession()
  const { todaySources } = useRegistry()
  const sources = todaySources.filter((source) => hasAccess(session, source.permission))
  const query = useQuery({
    queryKey: ['today', session.workerId, sources.map((source) => source.id)],
    queryFn: async ({ signal }) => {
      const answers = await Promise.allSettled(
        sources.map(async ({ group, find }) => (await find(signal)).map((item): Found => ({ ...item, group }))),
      )
      const found = withoutCovered(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])))
      return {
        items: found.filter(({ group }) => group !== 'changes'),
        changes: found.filter(({ group }) => group === 'changes'),
        missing: sources.filter((_, place) => answers[place]?.status === 'rejected').map(({ what }) => what),
      }
    },
  })
  const changes = query.data?.changes ?? []
  return (
    <>
      <PageHead title="Managing Admin Dashboard">
        {formatDay(companyDay(now()), { now: now(), hasWeekday: true })}
      </PageHead>
      <div className={styles.page}>
        <Suspense>
          <SetupGuide />
        </Suspense>
        <SectionCard title="Today" isFlush hasLine>
          <QueryView
            query={query}
            isEmpty={({ items, missing }) => missing.length === 0 && items.length === 0}
            empty={<EmptyState icon={IconCalendarEvent} title="Nothing needs your attention right now." />}
          >
            {({ items, missing }) => (
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
                {groups.map(({ group, title }) => {
                  const theirs = items.filter((item) => item.group === group)
                  if (theirs.length === 0) return null
                  return (
                    <section key={group} className={styles.group}>
                      <div className={styles.top}>
                        <h3>{title}</h3>
                        {sources.map(
                          ({ id, all, group: of }) =>
                            all &&
                            of === group && (
                              <Link key={id} to={all.path}>
                                {all.label}
                              </Link>
                            ),
                        )}
                      </div>
                      <TodayList label={title} items={theirs} />
                    </section>
                  )
                })}
              </>
            )}
          </QueryView>
        </SectionCard>
        {changes.length > 0 && (
          <SectionCard title="Recent changes" isFlush hasLine>
            <TodayList label="Recent changes" items={changes} />
          </SectionCard>
        )}
      </div>
    </>
  )
}
