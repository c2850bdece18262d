/** For a button: begins to fetch what it opens when a hand comes near, so that the first letter typed there is not lost. */
export function prefetchOnHover(load: () => Promise<unknown>) {
  // Whoever presses the button meets the failure where it can be shown.
  const begin = () => void load().catch(() => {})
  return { onPointerEnter: begin, onFocus: begin }
}
