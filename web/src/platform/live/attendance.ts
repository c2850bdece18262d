const UNATTENDED_AFTER = 60_000
const INPUT_EVENTS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

let lastInputAt = performance.now()
const noteInput = () => {
  lastInputAt = performance.now()
}

/** Begins to notice whether somebody sits before the page; returns the way to stop. */
export function watchAttendance(): () => void {
  noteInput()
  for (const sign of INPUT_EVENTS) addEventListener(sign, noteInput, { capture: true, passive: true })
  return () => {
    for (const sign of INPUT_EVENTS) removeEventListener(sign, noteInput, { capture: true })
  }
}

/** Has nobody touched the page for a minute? What it reads by itself then must not keep the session alive. */
export const isUnattended = (): boolean => performance.now() - lastInputAt > UNATTENDED_AFTER
