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

/** Everything of automation begins with this key; the live topic `automation` reads it again. */
export const automationKey = ['automation']
const scheduleKey = (name: string) => [...automationKey, 'schedule', name]

// A run that ends is told live; one whose process was lost tells nothing.
const LOOK_AGAIN = 10_000

export const schedulesQuery = queryOptions({
  queryKey: [...automationKey, 'schedules'],
  queryFn: ({ signal }) => send(listSchedules, {}, { signal }),
})

export const scheduleQuery = (name: string) =>
  queryOptions({
    queryKey: scheduleKey(name),
    queryFn: ({ signal }) => send(readSchedule, { params: { name } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.isUnderWay ? LOOK_AGAIN : false),
  })

const useScheduleChange = <Input>(change: (input: Input) => Promise<ScheduleDetail>) =>
  useRecordChange<typeof pauseSchedule, Input>(change, ({ name }) => scheduleKey(name), automationKey)

export const useRunNow = (name: string) =>
  useScheduleChange((body: InputOf<typeof runSchedule>['body']) => send(runSchedule, { params: { name }, body }))
export const usePause = (name: string) =>
  useScheduleChange((body: InputOf<typeof pauseSchedule>['body']) => send(pauseSchedule, { params: { name }, body }))
export const useResume = (name: string) =>
  useScheduleChange((body: InputOf<typeof resumeSchedule>['body']) => send(resumeSchedule, { params: { name }, body }))
