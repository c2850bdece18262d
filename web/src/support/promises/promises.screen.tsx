import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { RatingSetting } from '../ratings/rating-setting.tsx'
import { promisesKey, promisesQuery } from './promises.api.ts'
import styles from './promises.module.css'
import { PromisesForm } from './promises-form.tsx'

const loading = (
  <SectionCard title="Response targets">
    <TextSkeleton lines={10} />
  </SectionCard>
)

/** Business hours, holidays and response targets of the desk. */
export default function Promises() {
  const query = useQuery(promisesQuery)
  useLiveRefresh('promises', promisesKey)
  // The form keeps what it started with while others save.
  const [restarts, setRestarts] = useState(0)
  return (
    <>
      <PageHead title="Promises" actions={<HistoryButton record={{ kind: 'promises', id: 'one' }} />} isOneLine>
        How fast we respond to customers, in business hours.
      </PageHead>
      <QueryView query={query} failure="Couldn't load the promises" loading={loading}>
        {(settings) => (
          <>
            {settings.recomputing > 0 && (
              <Banner>{pluralize(settings.recomputing, 'open ticket')} being computed with the new settings.</Banner>
            )}
            <PromisesForm key={restarts} base={settings} onRestart={() => setRestarts((count) => count + 1)} />
            {settings.changedAt && (
              <p className={styles.changed}>
                Changed <Moment at={settings.changedAt} />
                {settings.changedBy && ` by ${settings.changedBy}`}.
              </p>
            )}
          </>
        )}
      </QueryView>
      <RatingSetting />
    </>
  )
}
