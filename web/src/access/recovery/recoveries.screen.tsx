import { exportRecoveries, type RecoveryRequest } from '@limber/contract/access/workers/worker.ts'
import { Button, NativeSelect } from '@mantine/core'
import { IconLifebuoy } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { useSearchState } from '#platform/routing/search.ts'
import { useSession } from '#platform/session/session.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { type Meaning, StatusDot } from '#ui/feedback/status.tsx'
import { Moment } from '#ui/format/moment.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable, type TablePage } from '#ui/table/data-table.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import { accessKey, recoveriesQuery } from '../access.api.ts'
import frame from '../sign-in/access-frame.module.css'
import { AccessFrame } from '../sign-in/access-frame.tsx'
import { decideRecovery } from './decide-recovery.ts'

const meaning: Record<RecoveryRequest['state'], Meaning> = {
  open: 'amber',
  approved: 'green',
  denied: 'red',
  closed: 'plain',
  expired: 'plain',
}
const stateLabels: Record<RecoveryRequest['state'], string> = {
  open: 'Open',
  approved: 'Approved',
  denied: 'Denied',
  closed: 'Closed',
  expired: 'Expired',
}
const states = [
  { value: 'open', label: 'Open' },
  { value: 'all', label: 'All' },
  { value: 'approved', label: 'Approved' },
  { value: 'denied', label: 'Denied' },
  { value: 'closed', label: 'Closed' },
  { value: 'expired', label: 'Expired' },
]
export const Search = z.object({
  state: z.enum(['open', 'all', 'approved', 'denied', 'closed', 'expired']).catch('open'),
})
type State = z.output<typeof Search>['state']

function Decide({ request }: { request: RecoveryRequest }) {
  const session = useSession()
  const cache = useQueryClient()
  const decide = (isApproved: boolean) =>
    void decideRecovery(request, isApproved, session).then(() => cache.invalidateQueries({ queryKey: accessKey }))
  if (request.state !== 'open') return null
  if (request.isOwn) return <span>A colleague must decide</span>
  return (
    <>
      <Button variant="default" size="xs" onClick={() => decide(false)}>
        Deny
      </Button>{' '}
      <Button size="xs" onClick={() => decide(true)}>
        Approve
      </Button>
    </>
  )
}

const columns: Column<RecoveryRequest>[] = [
  { key: 'worker', title: 'Worker', isTitle: true, cell: ({ worker }) => worker.name },
  { key: 'email', title: 'Email', cell: ({ worker }) => worker.email },
  { key: 'asked', title: 'Requested', cell: ({ createdAt }) => <Moment at={createdAt} form="relative" /> },
  { key: 'address', title: 'IP address', cell: ({ address }) => address ?? '--' },
  {
    key: 'state',
    title: 'Status',
    cell: ({ state }) => <StatusDot meaning={meaning[state]}>{stateLabels[state]}</StatusDot>,
  },
  {
    key: 'decided',
    title: 'Decided',
    cell: ({ state, decidedBy, decidedAt }) => {
      const how = state === 'closed' ? (decidedBy ? `closed by ${decidedBy}` : 'recovered another way') : decidedBy
      if (!how) return '--'
      return (
        <>
          {how}, <Moment at={decidedAt} form="relative" />
        </>
      )
    },
  },
  { key: 'actions', title: 'Actions', isRight: true, cell: (request) => <Decide request={request} /> },
]

/** Requests from workers who lost their device. */
export default function Recoveries() {
  const [{ state }, change] = useSearchState(Search)
  const table = useTableState('recoveries', { limit: 25 })
  const query = useQuery({
    ...recoveriesQuery({
      page: String(table.page),
      limit: String(table.limit),
      ...(state === 'all' ? {} : { state }),
    }),
    select: ({ recoveries, pagination }): TablePage<RecoveryRequest> => ({
      rows: recoveries,
      totalItems: pagination.totalItems,
    }),
  })
  const filter = (
    <NativeSelect
      aria-label="Status"
      data={states}
      value={state}
      // Another status starts at its first page.
      onChange={(event) => change({ state: event.currentTarget.value as State, ...({ page: undefined } as object) })}
    />
  )
  return (
    <AccessFrame
      context="Approve only people you have spoken to. You cannot decide your own request."
      actions={
        <ExportButton call={exportRecoveries} query={state === 'all' ? {} : { state }} total={query.data?.totalItems} />
      }
    >
      <div className={frame.page}>
        <SectionCard title="Recovery requests" isFlush actions={filter}>
          <DataTable
            label="Recovery requests"
            query={query}
            columns={columns}
            keyOf={({ id }) => id}
            state={table}
            isStacking
            empty={
              <EmptyState icon={IconLifebuoy} title={state === 'open' ? 'No open requests' : 'No requests found'}>
                Requests made with “Recover access” on the sign-in page will appear here.
              </EmptyState>
            }
          />
        </SectionCard>
      </div>
    </AccessFrame>
  )
}
