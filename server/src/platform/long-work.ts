import { setImmediate } from 'node:timers/promises'

/** A call needs a few turns of the event loop, so each turn that others wait for must be short. */
const MAX_BUSY = 5

/** Lets other calls run during long work. `isDue` is asked after each small step: most steps then wait for nothing. */
export function makePauses() {
  let since = performance.now()
  return {
    isDue: () => performance.now() - since > MAX_BUSY,
    async take() {
      await setImmediate()
      since = performance.now()
    },
  }
}
