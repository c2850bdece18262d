import type { KeyboardEvent } from 'react'

/** Ctrl-Enter, on a Mac also Cmd-Enter: what was written is sent. */
export const isSendKey = ({ key, ctrlKey, metaKey }: KeyboardEvent) => key === 'Enter' && (ctrlKey || metaKey)

/** Sends what was written inside of it by that key; whatever lies around it is not sent. */
export const onSendKey = (send: (() => unknown) | undefined) => (event: KeyboardEvent) => {
  if (!isSendKey(event)) return
  event.preventDefault()
  send?.()
}
