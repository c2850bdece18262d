/** Props for a button: loads what it opens on hover or focus, so that the first letter typed there is not lost. */
export function prefetchOnHover(load: () => Promise<unknown>) {
  // A failure shows when the button is pressed.
  const begin = () => void load().catch(() => {})
  return { onPointerEnter: begin, onFocus: begin }
}
