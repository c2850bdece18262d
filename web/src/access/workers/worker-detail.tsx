import type { WorkerDetail } from '@limber/contract/access/workers/worker.ts'
import { useQuery } from '@tanstack/react-query'
import { useRecentRecord } from '#platform/routing/recent-records.ts'
import { useSession } from '#platform/session/session.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { StatusBadge } from '#ui/feedback/status.tsx'
import { DetailHead, DetailPane } from '#ui/layout/detail-pane.tsx'
import { workerQuery } from '../access.api.ts'
import { WorkerActions } from './worker-actions.tsx'
import { statusLabels, statusMeaning } from './worker-labels.ts'
import { WorkerRights } from './worker-rights.tsx'
import { WorkerSignIn } from './worker-sign-in.tsx'

function Detail({ worker }: { worker: WorkerDetail }) {
  const isOwn = useSession().workerId === worker.id
  useRecentRecord('worker', worker.id, worker.name)
  return (
    <DetailPane>
      <DetailHead
        title={worker.name}
        badges={<StatusBadge meaning={statusMeaning[worker.status]}>{statusLabels[worker.status]}</StatusBadge>}
        sub={worker.email}
        actions={<WorkerActions worker={worker} isOwn={isOwn} />}
      />
      {isOwn && (
        <Banner>
          This is your account. You cannot change your own permissions. Ask a colleague who manages access.
        </Banner>
      )}
      {worker.isLastOwner && (
        <Banner>
          The last Owner keeps every permission and cannot be disabled. Make another worker an Owner first.
        </Banner>
      )}
      <WorkerRights worker={worker} isOwn={isOwn} />
      <WorkerSignIn worker={worker} />
    </DetailPane>
  )
}

/** One worker: permissions, sign-in methods and sessions. */
export default function WorkerDetailView({ id }: { id: number }) {
  const query = useQuery(workerQuery(id))
  return (
    <QueryView query={query} failure="Couldn't load this worker">
      {(worker) => <Detail worker={worker} />}
    </QueryView>
  )
}
