import { type Clock, systemClock } from '../clock.ts'

let clock: Clock = systemClock

/** The default creation time of factory records. */
export const factoryNow = (): Date => clock.now()

/** Sets the clock of the factories. Tests use a fixed one. */
export function setFactoryClock(to: Clock): void {
  clock = to
}
