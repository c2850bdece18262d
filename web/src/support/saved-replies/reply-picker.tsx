import type { MacroPreview } from '@limber/contract/support/saved-replies/macro.ts'
import type { SavedReply } from '@limber/contract/support/saved-replies/saved-reply.ts'
import { Button, TextInput } from '@mantine/core'
import { IconMessageBolt, IconSearch } from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useCan } from '#platform/session/session.tsx'
import type { DraftMacro } from '#support/tickets/thread/ticket-draft.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { isSendKey } from '#ui/keyboard/send-key.ts'
import { takeTyped } from '#ui/keyboard/typed-ahead.ts'
import { Highlight } from '#ui/layout/highlight.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { KeyCap } from '#ui/layout/key-cap.tsx'
import { fillParts, fillReply, findReplies, needsPreview, type ReplyFacts } from './fill-reply.ts'
import { formatActionCount, usageOf } from './macro-labels.ts'
import { ReplyPreview } from './reply-preview.tsx'
import styles from './saved-replies.module.css'
import { macroPreviewQuery, savedRepliesQuery } from './saved-reply.api.ts'

interface ListProps {
  id: string
  found: readonly SavedReply[]
  active: SavedReply | undefined
  search: string
  facts: ReplyFacts
  preview: UseQueryResult<MacroPreview>
  onChoose: (reply: SavedReply) => void
  onPlace: (place: number) => void
}

/** The names, with a preview of the selected reply. */
function ReplyList({ id, found, active, search, facts, preview, onChoose, onPlace }: ListProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (active) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div className={styles.choice}>
      <div className={styles.names} id={`${id}-list`} role="listbox" aria-label="Saved replies" ref={list}>
        {found.map((reply, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the search field handles the keys
          <div
            key={reply.id}
            id={`${id}-${reply.id}`}
            className={styles.name}
            role="option"
            tabIndex={-1}
            aria-selected={reply === active}
            aria-describedby={reply === active ? `${id}-preview` : undefined}
            onClick={() => (reply.actions.length > 0 ? onPlace(index) : onChoose(reply))}
            onMouseMove={() => reply.actions.length === 0 && onPlace(index)}
          >
            <Highlight text={reply.name} part={search} />
            {reply.actions.length > 0 && <small>{usageOf(reply)}</small>}
          </div>
        ))}
      </div>
      {active ? (
        <ReplyPreview id={`${id}-preview`} reply={active} facts={facts} preview={preview} />
      ) : (
        <p className={styles.none} role="status">
          No saved reply contains “{search}”.
        </p>
      )}
    </div>
  )
}

/** A response that is sent at once, with actions. */
export interface MacroRun {
  words: string
  macro: DraftMacro
}

interface Props {
  facts: ReplyFacts
  typed: string
  onInsert: (words: string, macro?: DraftMacro) => void
  /** Sends the response and runs the actions; undefined where nothing is sent. */
  onRun: ((run: MacroRun) => void) | undefined
  onLayer: (layer: 'save' | 'manage') => void
  onClose: () => void
}

/** The actions of a reply that can run, and what keeps it from being sent. */
function runOf(reply: SavedReply | undefined, preview: MacroPreview | undefined, facts: ReplyFacts) {
  if (!reply || reply.actions.length === 0 || preview?.version !== reply.version) return undefined
  const steps = preview.steps.flatMap(({ type, text, problem }, place) =>
    problem === null ? [{ place, type, text }] : [],
  )
  const isMissing = fillParts(reply.content, facts).some(({ kind }) => kind === 'missing')
  const { id, version } = reply
  return { macro: { id, version, steps }, isReady: steps.length > 0 && !isMissing, isMissing }
}

/** Selects a saved reply for the box: type to search, move with the arrow keys, insert with Enter. */
export function ReplyPicker({ facts: known, typed, onInsert, onRun, onLayer, onClose }: Props) {
  const id = useId()
  const query = useQuery(savedRepliesQuery)
  const [search, setSearch] = useState('')
  const [place, setPlace] = useState(0)
  const found = findReplies(query.data ?? [], search)
  const at = Math.min(place, Math.max(0, found.length - 1))
  const active = found[at]
  const preview = useQuery({
    ...macroPreviewQuery(known.ticket, active?.id ?? 0),
    enabled: active !== undefined && needsPreview(active),
  })
  const facts = { ...known, account: preview.data?.facts }
  const run = onRun && runOf(active, preview.data, facts)
  const mayManage = useCan('notifications.send')
  const choose = (reply: SavedReply) => {
    const macro = reply === active && run && run.macro.steps.length > 0 ? run.macro : undefined
    onInsert(fillReply(reply.content, facts), macro)
    onClose()
  }
  const send = () => {
    if (!active || !run?.isReady) return
    onClose()
    onRun?.({ words: fillReply(active.content, facts), macro: run.macro })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setPlace((at + step + found.length) % Math.max(1, found.length))
    }
    if (event.key !== 'Enter' || !active || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (isSendKey(event)) send()
    else choose(active)
  }
  const empty = (
    <EmptyState icon={IconMessageBolt} title="No saved replies yet">
      Save texts that you often send and insert them into replies.
      {!mayManage && ' Ask your team lead to add one.'}
    </EmptyState>
  )
  const foot = (
    <>
      {mayManage ? (
        <span className={styles.first}>
          <Button variant="subtle" onClick={() => onLayer('manage')}>
            Manage
          </Button>
          {typed.trim() !== '' && (
            <Button variant="subtle" onClick={() => onLayer('save')}>
              Save this text as a reply
            </Button>
          )}
        </span>
      ) : (
        <span className={styles.keys}>
          <KeyCap keys="Enter" isHidden /> insert
          {run && (
            <>
              <KeyCap keys="Mod Enter" isHidden /> send and run
            </>
          )}
        </span>
      )}
      {active && (
        <Button variant={run ? 'default' : 'filled'} onClick={() => choose(active)}>
          Insert
        </Button>
      )}
      {run && (
        <Button disabled={!run.isReady} onClick={send}>
          Send and run {formatActionCount(run.macro.steps.length)}
        </Button>
      )}
    </>
  )
  return (
    <Dialog isOpen onClose={onClose} title="Saved replies" size={760} foot={foot}>
      <TextInput
        role="combobox"
        aria-label="Search saved replies"
        aria-expanded={active !== undefined}
        aria-controls={active ? `${id}-list` : undefined}
        aria-activedescendant={active ? `${id}-${active.id}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        placeholder="Search saved replies"
        leftSection={<Icon of={IconSearch} />}
        maxLength={100}
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value)
          setPlace(0)
        }}
        onKeyDown={onKeyDown}
        onFocus={() => {
          const typedAhead = takeTyped()
          if (typedAhead) setSearch((before) => before + typedAhead)
        }}
        data-autofocus
      />
      <QueryView
        query={query}
        failure="Couldn't load saved replies"
        loading={<ListSkeleton rows={6} hasPicture={false} />}
        isEmpty={(replies) => replies.length === 0}
        empty={empty}
      >
        {() => <ReplyList {...{ id, found, active, search, facts, preview }} onChoose={choose} onPlace={setPlace} />}
      </QueryView>
      {run?.isMissing && (
        <p className={styles.missing} role="status">
          A value in red is not known. Insert the text and fill it in before you send it.
        </p>
      )}
    </Dialog>
  )
}
