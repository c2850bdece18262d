import { type Clock, systemClock } from '../clock.ts'

let clock: Clock = systemClock

/** When the record of a factory came to be, unless told. */
export const factoryNow = (): Date => clock.now()

/** Lets factories go by another clock: that of tests stands still, whatever day they run on. */
export function setFactoryClock(to: Clock): void {
  clock = to
}
