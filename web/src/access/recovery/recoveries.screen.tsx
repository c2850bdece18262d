import type { RecoveryRequest } from '@limber/contract/access/workers/worker.ts'
import { Button, NativeSelect } from '@mantine/core'
import { IconLifebuoy } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { useSearchState } from '#platform/routing/search.ts'
import { useSession } from '#platform/session/session.tsx'
import { confirm } from '#ui/dialog/confirm.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { type Meaning, StatusDot } from '#ui/feedback/status.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { Moment } from '#ui/format/moment.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { type Column, DataTable, type TablePage } from '#ui/table/data-table.tsx'
import { useTableState } from '#ui/table/table-state.ts'
import { recoveriesQuery, useDecideRecovery } from '../access.api.ts'
import frame from '../sign-in/access-frame.module.css'
import { AccessFrame } from '../sign-in/access-frame.tsx'

const meaning: Record<RecoveryRequest['state'], Meaning> = {
  open: 'amber',
  approved: 'green',
  denied: 'red',
  closed: 'plain',
  expired: 'plain',
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

const READ = 'npm run limber -- mail'

const questions = {
  approve: ({ worker }: RecoveryRequest, hasMailServer: boolean) => ({
    title: `Approve the recovery of ${worker.name}?`,
    body: `Speak to ${worker.name} in person or by phone first. ${hasMailServer ? `A fresh onboarding link goes to ${worker.email}` : `A fresh onboarding link is made, which whoever runs Limber sees with ${READ}`}; the old passkeys and sessions end when it is finished. You confirm with your passkey.`,
    action: 'Approve',
  }),
  deny: ({ worker }: RecoveryRequest, hasMailServer: boolean) => ({
    title: `Deny the recovery of ${worker.name}?`,
    body: `${hasMailServer ? 'Everybody concerned is told by mail. ' : ''}They can ask again.`,
    action: 'Deny',
    isDestructive: true,
  }),
}

function Decide({ request }: { request: RecoveryRequest }) {
  const decide = useDecideRecovery()
  const { hasMailServer } = useSession()
  if (request.state !== 'open') return null
  if (request.isOwn) return <span>Your own: a colleague decides</span>
  const approved = hasMailServer
    ? `A link is on its way to ${request.worker.email}.`
    : `Recovery approved. The link is shown by: ${READ}`
  const run = async (isApproved: boolean) => {
    if (!(await confirm(questions[isApproved ? 'approve' : 'deny'](request, hasMailServer)))) return
    void decide.mutateAsync({ id: request.id, isApproved }).then(
      () => toast(isApproved ? approved : 'Recovery denied.'),
      (error: unknown) => toastFailure('Nothing was decided', error),
    )
  }
  return (
    <>
      <Button variant="default" size="xs" disabled={decide.isPending} onClick={() => void run(false)}>
        Deny
      </Button>{' '}
      <Button size="xs" loading={decide.isPending} onClick={() => void run(true)}>
        Approve
      </Button>
    </>
  )
}

const columns: Column<RecoveryRequest>[] = [
  { key: 'worker', title: 'Worker', isTitle: true, cell: ({ worker }) => worker.name },
  { key: 'email', title: 'E-mail', cell: ({ worker }) => worker.email },
  { key: 'asked', title: 'Asked', cell: ({ createdAt }) => <Moment at={createdAt} form="relative" /> },
  { key: 'address', title: 'From', cell: ({ address }) => address ?? '--' },
  { key: 'state', title: 'State', cell: ({ state }) => <StatusDot meaning={meaning[state]}>{state}</StatusDot> },
  {
    key: 'decided',
    title: 'Decided',
    cell: ({ state, decidedBy, decidedAt }) => {
      const how = state === 'closed' ? (decidedBy ? `settled by ${decidedBy}` : 'came back in without it') : decidedBy
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

/** Who lost their device and asks to come back in. */
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
  const choose = (
    <NativeSelect
      aria-label="State"
      data={states}
      value={state}
      // Another state begins with its first page again.
      onChange={(event) => change({ state: event.currentTarget.value as State, ...({ page: undefined } as object) })}
    />
  )
  return (
    <AccessFrame context="Approve only those you have spoken to. Nobody decides about their own recovery.">
      <div className={frame.page}>
        <SectionCard title="Recovery requests" isFlush actions={choose}>
          <DataTable
            label="Recovery requests"
            query={query}
            columns={columns}
            keyOf={({ id }) => id}
            state={table}
            isStacking
            empty={
              <EmptyState icon={IconLifebuoy} title={state === 'open' ? 'Nobody waits' : 'There are none'}>
                Requests come from the link “Recover access” of the sign-in page.
              </EmptyState>
            }
          />
        </SectionCard>
      </div>
    </AccessFrame>
  )
}
