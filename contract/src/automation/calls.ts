import { listSchedules, pauseSchedule, readSchedule, resumeSchedule, runSchedule } from './schedule.ts'

export const automationCalls = [listSchedules, readSchedule, runSchedule, pauseSchedule, resumeSchedule]
