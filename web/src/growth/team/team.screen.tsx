import { exportTeam } from '@limber/contract/growth/team/team.ts'
import { Button } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { z } from 'zod'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSearchState } from '#platform/routing/search.ts'
import { Can } from '#platform/session/session.tsx'
import { useFigure } from '#ui/figures/use-figure.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { PageHead } from '#ui/layout/page-head.tsx'
import { ExportButton } from '#ui/table/export-button.tsx'
import { Leaderboard } from './leaderboard.tsx'
import { Roster } from './roster.tsx'
import { rosterQuery, teamKey } from './team.api.ts'
import styles from './team.module.css'
import { TeamChat } from './team-chat.tsx'
import { TeamSummaryCard } from './team-summary.tsx'
import { TeamTasks } from './team-tasks.tsx'

const AssignCampaign = lazy(() => import('./assign-campaign.tsx'))
const AssignLead = lazy(() => import('./assign-lead.tsx'))
const AssignTask = lazy(() => import('./assign-task.tsx'))
const ResultDialog = lazy(() => import('../overview/result-dialog.tsx'))
const InviteMember = lazy(() => import('./invite-member.tsx'))

export const Search = z.object({
  dialog: z.enum(['', 'campaign', 'lead', 'task', 'invite']).catch(''),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
})

/** The marketing and growth team: who is online, results, and open work. */
export default function Team() {
  useLiveRefresh('growth', teamKey)
  useLiveRefresh('leads', teamKey)
  const [{ dialog, page }, change] = useSearchState(Search)
  const figure = useFigure()
  const { data } = useQuery(rosterQuery)
  const open = (next: z.output<typeof Search>['dialog']) => change({ dialog: next })
  const close = () => change({ dialog: '' })
  const actions = (
    <>
      <ExportButton call={exportTeam} />
      <Button variant="default" onClick={() => open('campaign')}>
        Assign Campaign
      </Button>
      <Button variant="default" onClick={() => open('lead')}>
        Assign Lead
      </Button>
      <Button variant="default" onClick={() => open('task')}>
        Assign Task
      </Button>
      <Can permission="access.manage">
        <Button leftSection={<Icon of={IconUserPlus} />} onClick={() => open('invite')}>
          Invite
        </Button>
      </Can>
    </>
  )
  return (
    <>
      <PageHead title="Team" actions={actions}>
        The marketing and growth team, with everyone’s assignments.
      </PageHead>
      <div className={styles.page}>
        <TeamSummaryCard onOpen={figure.onOpen} />
        <Roster onOpen={figure.onOpen} />
        <div className={styles.pair}>
          <Leaderboard onOpen={figure.onOpen} />
          <TeamTasks page={page} onPage={(next, how) => change({ page: next }, how)} />
          <TeamChat />
        </div>
      </div>
      <Suspense>
        {figure.figure && (
          <ResultDialog
            state={figure}
            {...(figure.of && { query: { workerId: figure.of } })}
            context={data?.team.find(({ id }) => String(id) === figure.of)?.name}
          />
        )}
        {dialog === 'campaign' && <AssignCampaign onClose={close} />}
        {dialog === 'lead' && <AssignLead onClose={close} />}
        {dialog === 'task' && <AssignTask onClose={close} />}
        {dialog === 'invite' && (
          <Can permission="access.manage">
            <InviteMember onClose={close} />
          </Can>
        )}
      </Suspense>
    </>
  )
}
