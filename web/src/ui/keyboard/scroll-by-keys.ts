const FOCUSABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"], [contenteditable="true"]'

/** A ref that makes a scroll area focusable while it overflows without focusable content, so that keys can scroll it. */
export function scrollByKeys(part: HTMLElement | null): (() => void) | undefined {
  if (!part) return
  const look = () => {
    const isBare = part.querySelector(FOCUSABLE) === null && part.scrollHeight > part.clientHeight
    if (isBare) part.tabIndex = 0
    else part.removeAttribute('tabindex')
  }
  look()
  const sizes = new ResizeObserver(look)
  sizes.observe(part)
  const contents = new MutationObserver(look)
  contents.observe(part, { childList: true, subtree: true })
  return () => {
    sizes.disconnect()
    contents.disconnect()
  }
}
