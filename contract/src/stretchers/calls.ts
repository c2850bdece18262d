import {
  activateStretcher,
  deactivateStretcher,
  finishTraining,
  listByZone,
  listStretchers,
  onboardStretcher,
  promoteToStretcher,
  readStretcher,
  updateStretcher,
} from './stretcher.ts'

export const stretchersCalls = [
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
