const UNATTENDED_AFTER = 60_000
const INPUT_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

let lastInputAt = performance.now()
const noteInput = () => {
  lastInputAt = performance.now()
}

/** Starts tracking user input. Returns a function that stops it. */
export function watchAttendance(): () => void {
  noteInput()
  for (const sign of INPUT_EVENTS) addEventListener(sign, noteInput, { capture: true, passive: true })
  return () => {
    for (const sign of INPUT_EVENTS) removeEventListener(sign, noteInput, { capture: true })
  }
}

/** True after a minute without input. Background requests then must not keep the session alive. */
export const isUnattended = (): boolean => performance.now() - lastInputAt > UNATTENDED_AFTER
