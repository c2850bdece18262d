import { Button } from '@mantine/core'
import { IconBuildingStore, IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CallFailure } from '#platform/api/call-failure.ts'
import { Progress } from '#ui/charts/progress.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { ErrorBoundary } from '#ui/feedback/error-boundary.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton, TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import styles from './gallery.module.css'

function Failing() {
  const query = useQuery<string[]>({
    queryKey: ['gallery', 'failing'],
    queryFn: () =>
      Promise.reject(
        new CallFailure(503, {
          error: 'The server did not respond within 10 seconds. Try again.',
          code: 'busy',
        }),
      ),
    retry: false,
  })
  return (
    <QueryView query={query} failure="Failed to fetch dashboard data">
      {(rows) => <p>{rows.length}</p>}
    </QueryView>
  )
}

function Fragile() {
  const [isBroken, setBroken] = useState(false)
  if (isBroken) throw new Error('broken on purpose')
  return (
    <Button variant="default" onClick={() => setBroken(true)}>
      Break this section
    </Button>
  )
}

export function States() {
  const mail = (
    <Button variant="default" leftSection={<Icon of={IconMail} />}>
      Send Outreach Email
    </Button>
  )
  return (
    <>
      <SectionCard title="Banners" hasLine className={styles.half ?? ''}>
        <div className={styles.rows}>
          <Banner kind="green" onDismiss={() => undefined}>
            Theme saved successfully!
          </Banner>
          <Banner kind="red" onDismiss={() => undefined}>
            Failed to load lessons: connection closed
          </Banner>
          <Banner kind="amber">
            Be sure all modules and lessons are complete: learners see the course immediately.
          </Banner>
          <Banner kind="blue">Your session ended. Sign in again to continue where you left off.</Banner>
          <Banner>Paid entries stay as they are.</Banner>
        </div>
      </SectionCard>
      <SectionCard title="Empty" hasLine className={styles.third ?? ''}>
        <EmptyState icon={IconBuildingStore} title="No businesses contacted" action={mail}>
          A business appears here after its first outreach email.
        </EmptyState>
      </SectionCard>
      <SectionCard title="Error with retry" hasLine className={styles.third ?? ''}>
        <Failing />
      </SectionCard>
      <SectionCard title="Skeletons" hasLine className={styles.third ?? ''}>
        <div className={styles.rows}>
          <ListSkeleton />
          <TextSkeleton />
        </div>
      </SectionCard>
      <SectionCard title="Progress" hasLine className={styles.half ?? ''}>
        <Progress
          label="Importing addresses"
          done={312}
          total={480}
          counts="312 of 480"
          note="You can leave this page. The import continues."
        />
      </SectionCard>
      <SectionCard title="Error boundary" hasLine className={styles.half ?? ''}>
        <ErrorBoundary resetKey="gallery">
          <Fragile />
        </ErrorBoundary>
      </SectionCard>
    </>
  )
}
