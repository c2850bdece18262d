import {
  listSchedules,
  pauseSchedule,
  readSchedule,
  resumeSchedule,
  runSchedule,
  type ScheduleDetail,
} from '@limber/contract/automation/schedule.ts'
import type { InputOf } from '@limber/contract/kit/call.ts'
import { queryOptions } from '@tanstack/react-query'
import { send } from '#platform/api/api.ts'
import { useRecordChange } from '#platform/api/record-change.ts'

/** Prefix of all automation queries. The live topic `automation` invalidates it. */
export const automationKey = ['automation']
const scheduleKey = (name: string) => [...automationKey, 'schedule', name]

// Live updates report the end of a run. Polling covers runs whose process was lost.
const POLL_INTERVAL = 10_000

export const schedulesQuery = queryOptions({
  queryKey: [...automationKey, 'schedules'],
  queryFn: ({ signal }) => send(listSchedules, {}, { signal }),
})

export const scheduleQuery = (name: string) =>
  queryOptions({
    queryKey: scheduleKey(name),
    queryFn: ({ signal }) => send(readSchedule, { params: { name } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.isUnderWay ? POLL_INTERVAL : false),
  })

const useScheduleChange = <Input>(change: (input: Input) => Promise<ScheduleDetail>) =>
  useRecordChange<typeof pauseSchedule, Input>(change, ({ name }) => scheduleKey(name), automationKey)

export const useRunNow = (name: string) =>
  useScheduleChange((body: InputOf<typeof runSchedule>['body']) => send(runSchedule, { params: { name }, body }))
export const usePause = (name: string) =>
  useScheduleChange((body: InputOf<typeof pauseSchedule>['body']) => send(pauseSchedule, { params: { name }, body }))
export const useResume = (name: string) =>
  useScheduleChange((body: InputOf<typeof resumeSchedule>['body']) => send(resumeSchedule, { params: { name }, body }))
