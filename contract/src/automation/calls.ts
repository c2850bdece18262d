import { exportSchedules, listSchedules, pauseSchedule, readSchedule, resumeSchedule, runSchedule } from './schedule.ts'

export const automationCalls = [
  exportSchedules,
  listSchedules,
  readSchedule,
  runSchedule,
  pauseSchedule,
  resumeSchedule,
]
