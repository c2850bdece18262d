import { inviteWorker } from '@limber/contract/access/workers/worker.ts'
import {
  type ChangeTask,
  type CreateTask,
  changeTask,
  createTask,
  listTasks,
} from '@limber/contract/growth/tasks/task.ts'
import {
  type AssignCampaign,
  assignCampaign,
  listTeamCampaigns,
  readLeaderboard,
  readTeam,
  readTeamSummary,
} from '@limber/contract/growth/team/team.ts'
import { assignLead, listLeads } from '@limber/contract/marketing/leads/lead.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'

/** The key prefix of all team queries. The live topics `growth` and `leads` invalidate it. */
export const teamKey = ['growth', 'team']

export const rosterQuery = queryOptions({
  queryKey: [...teamKey, 'roster'],
  queryFn: ({ signal }) => send(readTeam, {}, { signal }),
})

export const leaderboardQuery = queryOptions({
  queryKey: [...teamKey, 'leaderboard'],
  queryFn: ({ signal }) => send(readLeaderboard, {}, { signal }),
})

export const summaryQuery = queryOptions({
  queryKey: [...teamKey, 'summary'],
  queryFn: ({ signal }) => send(readTeamSummary, {}, { signal }),
})

export const teamTasksQuery = (page: number) =>
  queryOptions({
    queryKey: [...teamKey, 'tasks', page],
    queryFn: ({ signal }) =>
      send(listTasks, { query: { status: 'open', page: String(page), limit: '10' } }, { signal }),
    placeholderData: keepPreviousData,
  })

export const campaignsQuery = queryOptions({
  queryKey: [...teamKey, 'campaigns'],
  queryFn: ({ signal }) => send(listTeamCampaigns, {}, { signal }),
})

const LEADS_OFFERED = '20'

/** Open, unassigned leads, newest first. */
export const freeLeadsQuery = (search: string) =>
  queryOptions({
    queryKey: [...teamKey, 'leads', search],
    queryFn: ({ signal }) =>
      send(listLeads, { query: { assigned_to: 'none', status: 'open', search, limit: LEADS_OFFERED } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** Any change to the team reloads all of it. */
function useTeamChange<Input, Reply>(change: (input: Input) => Promise<Reply>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () => cache.invalidateQueries({ queryKey: teamKey }),
  })
}

export const useAssignCampaign = () =>
  useTeamChange(({ campaignId, ...body }: AssignCampaign & { campaignId: number }) =>
    send(assignCampaign, { params: { id: String(campaignId) }, body }),
  )

export const useAssignLead = () =>
  useTeamChange(({ leadId, workerId }: { leadId: number; workerId: number }) =>
    send(assignLead, { params: { id: String(leadId) }, body: { workerId } }),
  )

export const useAddTask = () => useTeamChange((body: CreateTask) => send(createTask, { body }))

export const useChangeTeamTask = () =>
  useTeamChange(({ id, ...body }: ChangeTask & { id: number }) =>
    send(changeTask, { params: { id: String(id) }, body }),
  )

export const useInvite = () =>
  useTeamChange((body: { email: string; name: string; role: string }) => send(inviteWorker, { body }))
