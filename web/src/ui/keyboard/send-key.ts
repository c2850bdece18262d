import type { KeyboardEvent } from 'react'

/** True for Ctrl-Enter or Cmd-Enter, which send. */
export const isSendKey = ({ key, ctrlKey, metaKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>) =>
  key === 'Enter' && (ctrlKey || metaKey)

/** A key handler that sends on Ctrl-Enter and keeps a surrounding form from submitting. */
export const onSendKey = (send: (() => unknown) | undefined) => (event: KeyboardEvent) => {
  if (!isSendKey(event)) return
  event.preventDefault()
  send?.()
}
