// The palette is fetched and drawn at its first opening; whoever types on at once does not wait for it.
const MAX_WAIT = 3_000
let typed = ''
let stopBuffering = () => {}

/** From now on letters are kept, and do nothing else, until the palette has its focus or is given up. */
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

/** What was typed meanwhile, once. */
export function takeTyped(): string {
  stopBuffering()
  const text = typed
  typed = ''
  return text
}
