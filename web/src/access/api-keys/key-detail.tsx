import type { ApiKey, ApiKeyUsage } from '@limber/contract/access/api-keys/api-key.ts'
import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { now } from '#platform/clock.ts'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { momentText } from '#ui/format/moment-text.ts'
import { HistoryButton } from '#ui/history/history-button.tsx'
import { Facts } from '#ui/layout/facts.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { usageQuery } from './api-key.api.ts'
import styles from './api-keys.module.css'
import { isEnded, resourcesByAccess } from './key-labels.ts'
import type { KeyAction } from './key-table.tsx'

// Loads after the table shows.
const UsageChart = lazy(() => import('./usage-chart.tsx').then((file) => ({ default: file.UsageChart })))

const loadingChart = (
  <SectionCard title="Calls per day">
    <TextSkeleton lines={5} />
  </SectionCard>
)

/** `Aug 4 by Omar Haddad`, or `Aug 4 on the command line`. */
const dayAndWho = (at: string, by: string | null) =>
  `${momentText(at, 'day')} ${by ? `by ${by}` : 'on the command line'}`

function secretText({ createdAt, createdBy, rotation }: ApiKey): string {
  if (!rotation) return `Created ${dayAndWho(createdAt, createdBy)}`
  const { at, by, oldEndsAt } = rotation
  const isOver = new Date(oldEndsAt) <= now()
  const end = isOver ? `ended ${momentText(oldEndsAt, 'day')}` : `works until ${momentText(oldEndsAt)}`
  return `Rotated ${dayAndWho(at, by)}, the old one ${end}`
}

const limitText = ({ requestsPerMinute }: ApiKey, usage: ApiKeyUsage | undefined) =>
  `${formatInteger(requestsPerMinute)} calls per minute${usage?.peakToday ? `, highest today ${formatInteger(usage.peakToday)}` : ''}`

function Actions({ apiKey, onAct }: { apiKey: ApiKey; onAct: (action: KeyAction) => void }) {
  const history = <HistoryButton size="xs" record={{ kind: 'api_key', id: apiKey.id }} />
  if (apiKey.revokedAt) return history
  return (
    <>
      {history}
      <Button variant="default" size="xs" disabled={isEnded(apiKey, now())} onClick={() => onAct('rotate')}>
        Rotate secret
      </Button>
      <Button variant="default" size="xs" onClick={() => onAct('edit')}>
        Edit
      </Button>
      <Button variant="default" size="xs" c="var(--red-text)" onClick={() => onAct('revoke')}>
        Revoke
      </Button>
    </>
  )
}

/** What a key may do, and how it is used. */
export function KeyDetail({ apiKey, onAct }: { apiKey: ApiKey; onAct: (action: KeyAction) => void }) {
  const usage = useQuery(usageQuery(apiKey.id))
  const { both, read, write } = resourcesByAccess(apiKey.scopes)
  return (
    <div className={styles.detail}>
      <SectionCard title={apiKey.name} actions={<Actions apiKey={apiKey} onAct={onAct} />}>
        <Facts>
          {both.length > 0 && <Facts.Row label="Read and write">{both.join(', ')}</Facts.Row>}
          {read.length > 0 && <Facts.Row label="Read only">{read.join(', ')}</Facts.Row>}
          {write.length > 0 && <Facts.Row label="Write only">{write.join(', ')}</Facts.Row>}
          <Facts.Row label="Networks">{apiKey.networks.join(', ') || 'Any address'}</Facts.Row>
          <Facts.Row label="Limit">{limitText(apiKey, usage.data)}</Facts.Row>
          <Facts.Row label="Secret">{secretText(apiKey)}</Facts.Row>
          {apiKey.revokedAt && <Facts.Row label="Revoked">{dayAndWho(apiKey.revokedAt, apiKey.revokedBy)}</Facts.Row>}
        </Facts>
      </SectionCard>
      <QueryView query={usage} failure="Couldn't load the usage" loading={loadingChart}>
        {({ days }) => (
          <Suspense fallback={loadingChart}>
            <UsageChart name={apiKey.name} days={days} />
          </Suspense>
        )}
      </QueryView>
    </div>
  )
}
