let answer: boolean | undefined

/** Can this browser draw the map? Asked once: every canvas that is asked takes a drawing context. */
export function canDraw(): boolean {
  if (answer === undefined) {
    try {
      answer = document.createElement('canvas').getContext('webgl2') !== null
    } catch {
      answer = false
    }
  }
  return answer
}
