// The palette loads when it is first opened. Keys typed before that are buffered.
const MAX_WAIT = 3_000
let typed = ''
let stopBuffering = () => {}

/** Buffers typed characters, without any other effect, until the palette has focus or the wait times out. */
export function bufferTyping(): void {
  stopBuffering()
  typed = ''
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return stopBuffering()
    if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    event.stopImmediatePropagation()
    typed += event.key
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
