import { formatInteger } from '@limber/contract/kit/formats/numbers.ts'
import { MAX_MESSAGE_LENGTH, type TicketDetail } from '@limber/contract/support/tickets/ticket.ts'
import { ActionIcon } from '@mantine/core'
import { IconMessageBolt } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { lazy, type RefObject, Suspense, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useLiveRefresh } from '#platform/live/live.ts'
import { useSession } from '#platform/session/session.tsx'
import type { DraftMacro } from '#support/tickets/thread/ticket-draft.ts'
import { isLayerOpen } from '#ui/dialog/layers.ts'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { bufferTyping } from '#ui/keyboard/typed-ahead.ts'
import { useWindowKeys } from '#ui/keyboard/use-window-keys.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { insertText } from './fill-reply.ts'
import type { MacroRun } from './reply-picker.tsx'
import { savedRepliesKey, savedRepliesQuery } from './saved-reply.api.ts'

const load = () => import('./saved-replies.tsx')
const SavedReplies = lazy(load)

interface Props {
  ticket: TicketDetail
  box: RefObject<HTMLTextAreaElement | null>
  /** The text in the reply box. */
  text: string
  onWrite: (text: string, macro?: DraftMacro) => void
  /** Sends the text and runs the actions; undefined for a note. */
  onRun: ((run: MacroRun) => void) | undefined
  isDisabled: boolean
}

/** Inserts a text at the caret and moves the caret behind it. */
function useInsert({ box, text, onWrite }: Pick<Props, 'box' | 'text' | 'onWrite'>) {
  const caret = useRef<number>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after the new text is in the box
  useLayoutEffect(() => {
    if (caret.current === undefined) return
    box.current?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  }, [text])
  return (words: string, macro?: DraftMacro) => {
    const next = insertText(text, box.current?.selectionEnd ?? text.length, words)
    if (next.text.length > MAX_MESSAGE_LENGTH) {
      toastFailure(`The message would be too long. The limit is ${formatInteger(MAX_MESSAGE_LENGTH)} characters.`)
      return undefined
    }
    caret.current = next.caret
    onWrite(next.text, macro)
    return next.text
  }
}

/**
 * The button for saved replies (Ctrl-/ anywhere on the ticket) and the dialog. The dialog contains forms, so it must be
 * rendered outside the form of the reply box.
 */
export function useSavedReplies({ ticket, box, text, onWrite, onRun, isDisabled }: Props) {
  const cache = useQueryClient()
  const { worker } = useSession()
  const [isOpen, setOpen] = useState(false)
  const hadFocus = useRef(false)
  const insert = useInsert({ box, text, onWrite })
  useLiveRefresh('saved-replies', savedRepliesKey)
  const prefetch = () => {
    void load().catch(() => {})
    void cache.prefetchQuery(savedRepliesQuery)
  }
  const open = () => {
    const field = box.current
    if (!field || isDisabled) return
    // The box had no focus yet: continue the draft at its end.
    if (!hadFocus.current) field.setSelectionRange(field.value.length, field.value.length)
    field.focus()
    bufferTyping(() => setOpen(false))
    setOpen(true)
  }
  const onFieldFocus = useEffectEvent(() => {
    hadFocus.current = true
    prefetch()
  })
  useWindowKeys((event) => {
    if (event.key !== '/' || !(event.ctrlKey || event.metaKey) || event.altKey || isLayerOpen()) return
    event.preventDefault()
    open()
  })
  // A slash at the start of a line opens them, too.
  const onFieldKey = useEffectEvent((event: KeyboardEvent) => {
    const field = box.current
    if (event.key !== '/' || event.ctrlKey || event.metaKey || !field) return
    if (!/(^|\n)$/.test(field.value.slice(0, field.selectionStart))) return
    event.preventDefault()
    open()
  })
  useEffect(() => {
    const field = box.current
    const onKey = (event: KeyboardEvent) => onFieldKey(event)
    const onFocus = () => onFieldFocus()
    field?.addEventListener('focus', onFocus)
    field?.addEventListener('keydown', onKey)
    return () => {
      field?.removeEventListener('focus', onFocus)
      field?.removeEventListener('keydown', onKey)
    }
  }, [box])
  const button = (
    <ActionIcon
      size={28}
      variant="subtle"
      aria-label="Saved replies"
      title="Saved replies"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+/ m"
      disabled={isDisabled}
      onPointerEnter={prefetch}
      onClick={open}
    >
      <Icon of={IconMessageBolt} />
    </ActionIcon>
  )
  const layer = isOpen && (
    <Suspense>
      <SavedReplies
        facts={{ customer: ticket.customer?.name ?? null, ticket: ticket.id, agent: worker.name }}
        typed={text}
        onInsert={insert}
        onRun={
          onRun &&
          ((run) => {
            const words = insert(run.words, run.macro)
            if (words !== undefined) onRun({ ...run, words })
          })
        }
        onClose={() => setOpen(false)}
      />
    </Suspense>
  )
  return { button, layer }
}
