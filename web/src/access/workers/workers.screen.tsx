import { exportWorkers } from '@limber/contract/access/workers/worker.ts'
import { Button } from '@mantine/core'
import { IconGauge, IconUserPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useIntent } from '#platform/routing/intent.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { MasterDetail } from '#ui/layout/master-detail.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { AccessFrame } from '../sign-in/access-frame.tsx'
import { WorkerList } from './worker-list.tsx'
import { WorkerSearch } from './worker-search.ts'
import { WorkersSummary } from './workers-summary.tsx'

// The permission editors are large and not needed for the list.
const InviteDialog = lazy(() => import('./invite-dialog.tsx'))
const LimitsDialog = lazy(() => import('../limits/limits-dialog.tsx'))
const WorkerDetailView = lazy(() => import('./worker-detail.tsx'))

export default function Workers() {
  const [search, change] = useSearchState(WorkerSearch)
  const [isInviting, setInviting] = useState(false)
  useIntent('invite', () => setInviting(true))
  const [isLimiting, setLimiting] = useState(false)
  useIntent('limits', () => setLimiting(true))
  const { q, status, role } = search
  const actions = (
    <>
      <ExportButton call={exportWorkers} query={{ search: q, status, role }} />
      <Button variant="default" leftSection={<Icon of={IconGauge} />} onClick={() => setLimiting(true)}>
        Limits
      </Button>
      <Button leftSection={<Icon of={IconUserPlus} />} onClick={() => setInviting(true)}>
        Invite worker
      </Button>
    </>
  )
  return (
    <AccessFrame context="Worker accounts, API keys, webhooks and the audit log." actions={actions}>
      <MasterDetail
        listName="Workers"
        list={<WorkerList search={search} onChange={change} />}
        detail={
          search.worker ? (
            <Suspense fallback={<TextSkeleton />}>
              <WorkerDetailView key={search.worker} id={search.worker} />
            </Suspense>
          ) : null
        }
        placeholder={<WorkersSummary />}
        onBack={() => change({ worker: 0 })}
      />
      {isLimiting && (
        <Suspense>
          <LimitsDialog onClose={() => setLimiting(false)} />
        </Suspense>
      )}
      {isInviting && (
        <Suspense>
          <InviteDialog onClose={() => setInviting(false)} onInvited={(worker) => change({ worker })} />
        </Suspense>
      )}
    </AccessFrame>
  )
}
