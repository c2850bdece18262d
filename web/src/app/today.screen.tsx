import { Button } from '@mantine/core'
import { IconCalendarEvent, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { now } from '#platform/clock.ts'
import { parseSearch } from '#platform/search.ts'
import type { TodayItem } from '#platform/sections.ts'
import { opens, useSession } from '#platform/session.tsx'
import { Banner } from '#ui/banner.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Icon } from '#ui/icon.tsx'
import { PageHead } from '#ui/page-head.tsx'
import { QueryView } from '#ui/query-view.tsx'
import { SectionCard } from '#ui/section-card.tsx'
import { useRegistry } from './section-registry.ts'
import styles from './today.module.css'

const longDay = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })

/** Two areas may say the same; the one that says more stays. */
function withoutCovered(items: readonly TodayItem[]): TodayItem[] {
  const covered = new Set(items.map(({ covers }) => covers))
  return items.filter(({ id }) => !covered.has(id))
}

/** The router takes path and search parameters apart. */
function placeOf(path: string) {
  const [to = '', search = ''] = path.split('?')
  return { to, search: parseSearch(search) as never }
}

/** What waits for this worker, gathered from every area that they may see. */
export default function Today() {
  const session = useSession()
  const { todaySources } = useRegistry()
  const sources = todaySources.filter((source) => opens(session, source.permission))
  const query = useQuery({
    queryKey: ['today', session.workerId, sources.map((source) => source.id)],
    queryFn: async ({ signal }) => {
      const answers = await Promise.allSettled(sources.map((source) => source.find(signal)))
      const items = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      return { items: withoutCovered(items), isWhole: answers.every(({ status }) => status === 'fulfilled') }
    },
  })
  return (
    <>
      <PageHead title="Managing Admin Dashboard">{longDay.format(now())}</PageHead>
      <SectionCard title="Today" isFlush hasLine>
        <QueryView
          query={query}
          isEmpty={({ items, isWhole }) => isWhole && items.length === 0}
          empty={<EmptyState icon={IconCalendarEvent} title="Nothing needs you right now." />}
        >
          {({ items, isWhole }) => (
            <>
              {!isWhole && (
                <Banner
                  kind="amber"
                  action={
                    <Button variant="default" size="xs" onClick={() => void query.refetch()}>
                      Retry
                    </Button>
                  }
                >
                  Not every area could be asked.
                </Banner>
              )}
              <ul>
                {items.map((item) => (
                  <li key={item.id} className={styles.item}>
                    <Link {...placeOf(item.path)} className={styles.link ?? ''}>
                      <Icon of={item.icon} />
                      <span>{item.title}</span>
                      {item.detail && <span className={styles.detail}>{item.detail}</span>}
                      <Icon of={IconChevronRight} size={14} />
                    </Link>
                  </li>
                ))}
              </ul>
            </>
          )}
        </QueryView>
      </SectionCard>
    </>
  )
}
