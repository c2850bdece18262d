import type { Health } from '@limber/contract/tech/health/health.ts'
import { Button } from '@mantine/core'
import { IconHeartbeat, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLiveRefresh } from '#platform/live/live.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { Moment } from '#ui/format/moment.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { healthKey, healthQuery, useCheckHealth } from './health.api.ts'
import styles from './health.module.css'
import { HealthCard } from './health-card.tsx'
import { problemsOf } from './health-labels.ts'
import { HealthTitle } from './health-title.tsx'

function Verdict({ health }: { health: Health }) {
  if (health.isStale)
    return (
      <Banner kind="amber">
        The last check was on <Moment at={health.checkedAt} />, so these statuses may be outdated. The schedule that
        checks every five minutes is not running.
      </Banner>
    )
  const problems = problemsOf(health)
  const [worst] = problems
  if (!worst) return null
  return (
    <Banner kind={worst.status === 'down' ? 'red' : 'amber'}>
      {problems.map((check, index) => (
        <span key={check.name}>
          {index > 0 && ' '}
          <HealthTitle check={check} className={styles.link} />: {check.summary}
        </span>
      ))}
    </Banner>
  )
}

export default function SystemHealth() {
  useLiveRefresh('health', healthKey)
  const query = useQuery(healthQuery)
  const check = useCheckHealth()
  const checkNow = () =>
    void check.mutateAsync().catch((error: unknown) => toastFailure("Couldn't check the system", error))
  const buttonAs = (variant: 'filled' | 'default') => (
    <Button variant={variant} leftSection={<Icon of={IconRefresh} />} loading={check.isPending} onClick={checkNow}>
      Check now
    </Button>
  )
  return (
    <>
      <PageHead title="System health" actions={buttonAs('filled')} isOneLine>
        {query.data?.checkedAt ? (
          <>
            Last checked <Moment key={query.data.checkedAt} at={query.data.checkedAt} form="relative" />. Checks run
            every five minutes.
          </>
        ) : (
          'Live checks of every system component.'
        )}
      </PageHead>
      <QueryView
        query={query}
        failure="Couldn't load system health"
        isEmpty={({ checks }) => checks.length === 0}
        empty={
          <SectionCard>
            <EmptyState icon={IconHeartbeat} title="No checks yet" action={buttonAs('default')}>
              Checks run every five minutes. You can also run one now.
            </EmptyState>
          </SectionCard>
        }
      >
        {(health) => (
          <div className={styles.page}>
            <Verdict health={health} />
            <div className={styles.cards}>
              {health.checks.map((one) => (
                <HealthCard key={one.name} check={one} />
              ))}
            </div>
          </div>
        )}
      </QueryView>
    </>
  )
}
