let cached: boolean | undefined

/** Whether this browser can draw the map. Checked once, because every check uses up a drawing context. */
export function canDraw(): boolean {
  if (cached === undefined) {
    try {
      cached = document.createElement('canvas').getContext('webgl2') !== null
    } catch {
      cached = false
    }
  }
  return cached
}
