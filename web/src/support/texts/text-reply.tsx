import { formatInteger, formatPhone } from '@limber/contract/kit/formats/numbers.ts'
import { MAX_TEXT_LENGTH, sendMessage } from '@limber/contract/support/texts/message.ts'
import { Button, Textarea } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { readPreference, removePreference, savePreference } from '#platform/preferences.ts'
import { useSession } from '#platform/session/session.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { onSendKey } from '#ui/keyboard/send-key.ts'
import { KeyCap } from '#ui/layout/key-cap.tsx'
import { useIsMounted } from '../use-is-mounted.ts'
import { useSendText } from './message.api.ts'
import styles from './texts.module.css'

/** The draft for a number, stored on this device per worker until it is sent. */
function useKeptText(to: string) {
  const { workerId } = useSession()
  const key = `draft.${workerId}.text.${to}`
  const [text, setText] = useState(() => readPreference(key) ?? '')
  const write = (next: string) => {
    setText(next)
    if (next.trim() === '') removePreference(key)
    else savePreference(key, next)
  }
  return [text, write] as const
}

/** Replies to a number; the draft stays until it is sent. */
export function TextReply({ to }: { to: string }) {
  const [text, setText] = useKeptText(to)
  const reply = useSendText()
  const isMounted = useIsMounted()
  // Resending the same text after a failure must be the same action, so that the server sends it once.
  const last = useRef<{ to: string; body: string }>(undefined)
  // Focus the field when a conversation opens, except on phones, where the keyboard would cover it.
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (window.matchMedia('(hover: hover)').matches) field.current?.focus({ preventScroll: true })
  }, [])
  const isEmpty = text.trim() === ''
  const isLong = !sendMessage.body.shape.body.safeParse(text).success
  const send = () => {
    if (isEmpty || isLong || reply.isPending) return
    if (last.current?.body !== text) last.current = { to, body: text }
    void reply.mutateAsync(last.current).then(
      () => {
        last.current = undefined
        setText('')
      },
      (error: unknown) => {
        // The draft stays. A worker who has left the conversation would otherwise think that it was sent.
        if (!isMounted.current) toastFailure(`Couldn't send the text message to ${formatPhone(to)}`, error)
      },
    )
  }
  return (
    <form
      className={styles.reply}
      data-send-bar
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {reply.isError && <Banner kind="red">{messageOf(reply.error)}</Banner>}
      <Textarea
        ref={field}
        aria-label="Text message"
        placeholder="Type a text message..."
        minRows={2}
        maxRows={8}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onSendKey(send)}
        error={
          !isEmpty && isLong
            ? `A text message can have at most ${formatInteger(MAX_TEXT_LENGTH)} characters.`
            : undefined
        }
      />
      <div className={styles.send}>
        <span>
          {isEmpty ? '' : 'Draft saved on this device · '}
          <KeyCap keys="Mod Enter" /> sends
        </span>
        <Button type="submit" loading={reply.isPending} disabled={isEmpty || isLong}>
          Send text message
        </Button>
      </div>
    </form>
  )
}
