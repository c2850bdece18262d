import {
  MAX_MESSAGE_LENGTH,
  type RespondToTicket,
  type respondToTicket,
  type TicketDetail,
  type TicketStatus,
} from '@limber/contract/support/tickets/ticket.ts'
import { ActionIcon, Button, Textarea } from '@mantine/core'
import { IconChevronDown, IconLock, IconPaperclip } from '@tabler/icons-react'
import {
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import { messageOf } from '#platform/api/api.ts'
import { currentOf } from '#platform/api/call-failure.ts'
import { useSession } from '#platform/session/session.tsx'
import { type ReplyFiles, useReplyFiles } from '#support/files/use-reply-files.ts'
import { hasMention } from '#support/mentions/mentions.ts'
import type { MacroRun } from '#support/saved-replies/reply-picker.tsx'
import { useSavedReplies } from '#support/saved-replies/use-saved-replies.tsx'
import { useIsMounted } from '#support/use-is-mounted.ts'
import { LazyMenu } from '#ui/dialog/lazy-menu.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { isSendKey } from '#ui/keyboard/send-key.ts'
import { takeTyped } from '#ui/keyboard/typed-ahead.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { KeyCap } from '#ui/layout/key-cap.tsx'
import { useAssign, useNote, useRespond } from '../ticket.api.ts'
import { type DraftMacro, useDraft } from './ticket-draft.ts'
import type { Begun } from './ticket-loading.tsx'
import styles from './ticket-reply.module.css'

const loadSendMenu = () => import('./send-menu.tsx')
const SendMenu = lazy(loadSendMenu)

const MentionedTickets = lazy(() =>
  import('#support/mentions/mention-text.tsx').then((loaded) => ({ default: loaded.MentionedTickets })),
)
const ReplyFileList = lazy(() => import('#support/files/reply-files.tsx'))
const StagedActions = lazy(() => import('#support/saved-replies/staged-actions.tsx'))

const UPLOADING = 'Wait until the files are uploaded.'
const TYPING_TIMEOUT = 4_000

/** Reports typing from a keystroke until a few seconds without one. */
function useTypingSignal(onTyping: (isTyping: boolean) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const stop = () => {
    clearTimeout(timer.current)
    onTyping(false)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = () => {
    clearTimeout(timer.current)
    onTyping(true)
    timer.current = setTimeout(stop, TYPING_TIMEOUT)
  }
  return { type, stop }
}

interface Props {
  ticket: TicketDetail
  begun?: Begun
  onTyping: (isTyping: boolean) => void
}

/** The actions that run with a response. A status that the sender chose wins. */
function macroOf(macro: DraftMacro | undefined, status: TicketStatus | undefined): Pick<RespondToTicket, 'macro'> {
  const actions = (macro?.steps ?? []).flatMap(({ place, type }) => (status && type === 'status' ? [] : place))
  return macro && actions.length > 0 ? { macro: { id: macro.id, version: macro.version, actions } } : {}
}

/** Sending of a reply or note, with the error to show, if any. */
function useSending(ticket: TicketDetail, onSent: () => void) {
  const { workerId, worker } = useSession()
  const assign = useAssign(ticket.id)
  const draft = useDraft(ticket, workerId)
  const respond = useRespond(ticket.id)
  const note = useNote(ticket.id)
  const [failure, setFailure] = useState<string>()
  const isMounted = useIsMounted()
  const files = useReplyFiles(ticket.id)
  const bodyOf = (status: TicketStatus | undefined, run: MacroRun | undefined): RespondToTicket => ({
    message: run?.words ?? draft.text,
    workerId,
    version: draft.version,
    ...(status && { status }),
    ...macroOf(run?.macro ?? draft.macro, status),
    ...(files.ids.length > 0 && { files: files.ids }),
  })
  const take = () =>
    void assign.mutateAsync({ id: workerId, name: worker.name }).then(
      (reply) => toastUndo(`Ticket #${ticket.id} assigned to you.`, reply),
      (error: unknown) => toastFailure("Couldn't assign the ticket to you", error),
    )
  const offerTake = () =>
    toast(`Response sent. Ticket #${ticket.id} is unassigned.`, {
      action: { label: 'Assign to me', run: take },
      duration: 10_000,
    })
  const send = async (status?: TicketStatus, run?: MacroRun) => {
    if ((draft.isEmpty && !run) || respond.isPending || note.isPending) return
    if (!draft.isNote && files.isUploading) return setFailure(UPLOADING)
    setFailure(undefined)
    if (!workerId) return setFailure('No worker information available')
    try {
      if (draft.isNote) await note.mutateAsync({ content: draft.text })
      else {
        const { assignee } = await respond.mutateAsync(bodyOf(status, run))
        if (!assignee) offerTake()
        files.clear()
      }
      draft.clear()
      onSent()
    } catch (error) {
      const what = draft.isNote ? 'Failed to add note' : 'Failed to send response'
      // The draft stays. A worker who has left the ticket would otherwise think that it was sent.
      const current = currentOf<typeof respondToTicket, 'replied_meanwhile'>(error, 'replied_meanwhile')
      if (!isMounted.current) toastFailure(`${what}: ${ticket.subject}`, error)
      else if (current) {
        draft.catchUp(current)
        setFailure(messageOf(error))
      } else setFailure(`${what}: ${messageOf(error)}`)
    }
  }
  const write = (text: string, macro?: DraftMacro) => {
    setFailure(undefined)
    draft.write(text, macro)
  }
  // The wait ends by itself.
  const shown = failure === UPLOADING && !files.isUploading ? undefined : failure
  return { draft, write, send, files, failure: shown, isSending: respond.isPending || note.isPending }
}

function SendButton({
  isSending,
  isEmpty,
  onSend,
}: {
  isSending: boolean
  isEmpty: boolean
  onSend: (status?: TicketStatus) => void
}) {
  const other = (
    <Button className={styles.more ?? ''} aria-label="Other ways to send" disabled={isEmpty || isSending}>
      <Icon of={IconChevronDown} />
    </Button>
  )
  return (
    <Button.Group>
      <Button type="submit" loading={isSending} disabled={isEmpty}>
        Send Response
      </Button>
      <LazyMenu button={other} load={loadSendMenu}>
        <SendMenu onSend={onSend} />
      </LazyMenu>
    </Button.Group>
  )
}

/** The button that chooses files. */
function AttachButton({ files, isDisabled }: { files: ReplyFiles; isDisabled: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label="Files"
        onChange={(event) => {
          files.add([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <ActionIcon
        size={28}
        variant="subtle"
        aria-label="Attach files"
        title="Attach files, up to 25 MB"
        disabled={isDisabled}
        onClick={() => input.current?.click()}
      >
        <Icon of={IconPaperclip} />
      </ActionIcon>
    </>
  )
}

/** Takes files that are dropped on the box or pasted into it. */
function useDroppedFiles({ add }: ReplyFiles, isDisabled: boolean) {
  const [isOver, setOver] = useState(false)
  const take = (event: DragEvent | ClipboardEvent, given: DataTransfer | null) => {
    const found = [...(given?.files ?? [])]
    if (found.length === 0 || isDisabled) return
    event.preventDefault()
    add(found)
  }
  return {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => {
      if (isDisabled || !event.dataTransfer.types.includes('Files')) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false)
      take(event, event.dataTransfer)
    },
    onPaste: (event: ClipboardEvent) => take(event, event.clipboardData),
  }
}

/** Who gets the reply, when there is more than one address to choose from. */
function ReplyTo({ ticket: { replyTo, customer_email, messages } }: Pick<Props, 'ticket'>) {
  const written = messages.filter((one) => one.from_customer).map(({ sender }) => sender?.address ?? customer_email)
  const others = [...new Set(written)].filter((address) => address !== replyTo)
  if (others.length === 0) return replyTo === customer_email ? null : <p className={styles.to}>To {replyTo}</p>
  return (
    <p className={styles.to}>
      To {replyTo}, who wrote last. Not to {others.join(', ')}.
    </p>
  )
}

/** The box below a thread: a response to the customer, or an internal note. */
export function TicketReply({ ticket, begun, onTyping }: Props) {
  const typing = useTypingSignal(onTyping)
  const { draft, write, send, files, failure, isSending } = useSending(ticket, typing.stop)
  const box = useRef<HTMLTextAreaElement>(null)
  const { isNote, isEmpty, hasNewMessages } = draft
  const dropping = useDroppedFiles(files, isNote || isSending)
  const type = (text: string, macro?: DraftMacro) => {
    write(text, macro)
    typing.type()
  }
  const replies = useSavedReplies({
    ticket,
    box,
    text: draft.text,
    onWrite: type,
    onRun: isNote ? undefined : (run) => void send(undefined, run),
    isDisabled: isSending,
  })
  const goOn = useEffectEvent(() => {
    if (!begun?.current) return
    draft.goOn(takeTyped(), begun.current === 'note')
    begun.current = undefined
    box.current?.focus()
  })
  useEffect(() => goOn(), [])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') return box.current?.blur()
    if (!isSendKey(event)) return
    event.preventDefault()
    void send(event.shiftKey ? 'closed' : undefined)
  }
  return (
    <>
      <form
        className={styles.reply}
        data-send-bar
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        {hasNewMessages && !failure && !isSending && (
          <Banner
            kind="amber"
            action={
              <Button variant="default" size="xs" onClick={() => draft.catchUp(ticket)}>
                I have read it
              </Button>
            }
          >
            <span role="status">Someone else replied. Read the new message, then send.</span>
          </Banner>
        )}
        {failure && <Banner kind="red">{failure}</Banner>}
        <div className={styles.box} data-note={isNote || undefined} {...dropping}>
          {!isNote && <ReplyTo ticket={ticket} />}
          <Textarea
            ref={box}
            variant="unstyled"
            classNames={{ input: styles.input ?? '' }}
            aria-label={isNote ? 'Internal note' : 'Type your response...'}
            // In a response, `i` goes on with a note; in a note, `r` goes on with a response.
            aria-keyshortcuts={isNote ? 'i' : 'r'}
            placeholder={isNote ? 'Write a note for your team...' : 'Type your response...'}
            minRows={2}
            maxRows={10}
            maxLength={MAX_MESSAGE_LENGTH}
            readOnly={isSending}
            value={draft.text}
            onKeyDown={onKeyDown}
            onChange={(event) => type(event.currentTarget.value)}
          />
          <Suspense>{hasMention(draft.text) && <MentionedTickets text={draft.text} />}</Suspense>
          <Suspense>
            {!isNote && files.items.length > 0 && <ReplyFileList files={files} isDisabled={isSending} />}
          </Suspense>
          <Suspense>
            {!isNote && draft.macro && (
              <StagedActions steps={draft.macro.steps} isDisabled={isSending} onDrop={draft.dropMacro} />
            )}
          </Suspense>
          <div className={styles.tools}>
            <ActionIcon
              size={28}
              variant={isNote ? 'light' : 'subtle'}
              aria-label="Internal note"
              title="Internal note"
              aria-keyshortcuts={isNote ? 'r' : 'i'}
              aria-pressed={isNote}
              onClick={() => {
                draft.setNote(!isNote)
                box.current?.focus()
              }}
            >
              <Icon of={IconLock} />
            </ActionIcon>
            {replies.button}
            {!isNote && <AttachButton files={files} isDisabled={isSending} />}
            <span className={styles.kept}>
              {isNote
                ? 'Only your team sees this'
                : isEmpty
                  ? files.items.length > 0 && 'Add a few words to send it'
                  : 'Draft saved on this device'}
            </span>
            <span className={styles.send}>
              <span className={styles.keys}>
                <KeyCap keys="Mod Enter" isHidden />
              </span>
              {isNote ? (
                <Button type="submit" loading={isSending} disabled={isEmpty}>
                  Add Note
                </Button>
              ) : (
                <SendButton isSending={isSending} isEmpty={isEmpty} onSend={(status) => void send(status)} />
              )}
            </span>
          </div>
        </div>
      </form>
      {replies.layer}
    </>
  )
}
