let cached: boolean | undefined

/** Whether this browser may be able to draw the map, at no cost. */
export const mayDraw = () => cached ?? typeof WebGL2RenderingContext !== 'undefined'

/** Whether this browser can draw the map. It may have to start its graphics for the answer, which takes a while. Checked once, because every check uses up a drawing context. */
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
