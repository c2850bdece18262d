// A layer loads when it is first opened. What is typed before its field has focus is buffered.
const MAX_WAIT = 3_000
let typed = ''
let stopBuffering = () => {}

/**
 * Buffers typed characters, without any other effect, until the field takes them or the wait times out. Escape ends it and
 * tells so. Enter waits for the field, too.
 */
export function bufferTyping(onEscape?: () => void): void {
  stopBuffering()
  typed = ''
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'Escape') {
      stopBuffering()
      typed = ''
      return onEscape?.()
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (key.length !== 1 && key !== 'Backspace' && key !== 'Enter') return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (key === 'Backspace') typed = typed.slice(0, -1)
    if (key.length === 1) typed += key
  }
  const timer = setTimeout(() => stopBuffering(), MAX_WAIT)
  stopBuffering = () => {
    clearTimeout(timer)
    window.removeEventListener('keydown', onKeyDown, true)
  }
  window.addEventListener('keydown', onKeyDown, true)
}

/** Returns the buffered text and stops buffering. */
export function takeTyped(): string {
  stopBuffering()
  const text = typed
  typed = ''
  return text
}
