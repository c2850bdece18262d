import {
  activateStretcher,
  deactivateStretcher,
  exportStretchers,
  finishTraining,
  listByZone,
  listStretchers,
  onboardStretcher,
  promoteToStretcher,
  readStretcher,
  updateStretcher,
} from './stretcher.ts'
import { stretcherCalls } from './sync/stretcher-sync.ts'

export const stretchersCalls = [
  ...Object.values(stretcherCalls),
  exportStretchers,
  listStretchers,
  readStretcher,
  listByZone,
  onboardStretcher,
  promoteToStretcher,
  updateStretcher,
  deactivateStretcher,
  activateStretcher,
  finishTraining,
]
