import { readCitySummary } from './city.ts'
import { exportFigureRows, listFigureRows } from './figure.ts'
import { readHealthOverview, readHealthTrends } from './health.ts'
import { readBasemap, readMap } from './map.ts'
import { changeTask, createTask, listTaskAssignees, listTasks } from './task.ts'

export const growthCalls = [
  readMap,
  readBasemap,
  readCitySummary,
  readHealthOverview,
  readHealthTrends,
  listTasks,
  createTask,
  changeTask,
  listTaskAssignees,
  listFigureRows,
  exportFigureRows,
]
