const AWAY_AFTER = 60_000
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

let lastSign = performance.now()
const note = () => {
  lastSign = performance.now()
}

/** Begins to notice whether somebody sits before the page; returns the way to stop. */
export function watchAttendance(): () => void {
  note()
  for (const sign of SIGNS) addEventListener(sign, note, { capture: true, passive: true })
  return () => {
    for (const sign of SIGNS) removeEventListener(sign, note, { capture: true })
  }
}

/** Has nobody touched the page for a minute? What it reads by itself then must not keep the session alive. */
export const isUnattended = (): boolean => performance.now() - lastSign > AWAY_AFTER
