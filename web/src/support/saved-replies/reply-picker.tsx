import type { SavedReply } from '@limber/contract/support/saved-replies/saved-reply.ts'
import { Button, TextInput } from '@mantine/core'
import { IconMessageBolt, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useCan } from '#platform/session/session.tsx'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { ListSkeleton } from '#ui/feedback/skeleton.tsx'
import { Highlight } from '#ui/layout/highlight.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { KeyCap } from '#ui/layout/key-cap.tsx'
import { fillReply, findReplies, type ReplyFacts } from './fill-reply.ts'
import styles from './saved-replies.module.css'
import { savedRepliesQuery } from './saved-reply.api.ts'

interface ListProps {
  id: string
  found: readonly SavedReply[]
  active: SavedReply | undefined
  search: string
  facts: ReplyFacts
  onChoose: (reply: SavedReply) => void
  onPlace: (place: number) => void
}

/** The names, with a preview of the selected reply. */
function ReplyList({ id, found, active, search, facts, onChoose, onPlace }: ListProps) {
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
            onClick={() => onChoose(reply)}
            onMouseMove={() => onPlace(index)}
          >
            <Highlight text={reply.name} part={search} />
          </div>
        ))}
      </div>
      {active ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard
        <section className={styles.preview} id={`${id}-preview`} aria-label="Preview" tabIndex={0}>
          {fillReply(active.content, facts)}
        </section>
      ) : (
        <p className={styles.none} role="status">
          No saved reply contains “{search}”.
        </p>
      )}
    </div>
  )
}

interface Props {
  facts: ReplyFacts
  typed: string
  onInsert: (words: string) => void
  onLayer: (layer: 'save' | 'manage') => void
  onClose: () => void
}

/** Selects a saved reply for the box: type to search, move with the arrow keys, insert with Enter. */
export function ReplyPicker({ facts, typed, onInsert, onLayer, onClose }: Props) {
  const id = useId()
  const query = useQuery(savedRepliesQuery)
  const [search, setSearch] = useState('')
  const [place, setPlace] = useState(0)
  const found = findReplies(query.data ?? [], search)
  const at = Math.min(place, Math.max(0, found.length - 1))
  const active = found[at]
  const mayManage = useCan('notifications.send')
  const choose = ({ content }: SavedReply) => {
    onInsert(fillReply(content, facts))
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      setPlace((at + step + found.length) % Math.max(1, found.length))
    }
    if (event.key === 'Enter' && active && !event.nativeEvent.isComposing) {
      event.preventDefault()
      choose(active)
    }
  }
  const empty = (
    <EmptyState icon={IconMessageBolt} title="No saved replies yet">
      Save texts that you often send and insert them into replies.
      {!mayManage && ' Ask your team lead to add one.'}
    </EmptyState>
  )
  const foot = (
    <>
      <span className={styles.keys}>
        <KeyCap keys="↑" isHidden />
        <KeyCap keys="↓" isHidden /> move
        <KeyCap keys="Enter" isHidden /> insert
      </span>
      {mayManage && (
        <>
          <Button variant="default" disabled={typed.trim() === ''} onClick={() => onLayer('save')}>
            Save this text as a reply
          </Button>
          <Button variant="default" onClick={() => onLayer('manage')}>
            Manage
          </Button>
        </>
      )}
    </>
  )
  return (
    <Dialog isOpen onClose={onClose} title="Saved replies" size={640} foot={foot}>
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
        data-autofocus
      />
      <QueryView
        query={query}
        failure="Couldn't load saved replies"
        loading={<ListSkeleton rows={6} hasPicture={false} />}
        isEmpty={(replies) => replies.length === 0}
        empty={empty}
      >
        {() => <ReplyList {...{ id, found, active, search, facts }} onChoose={choose} onPlace={setPlace} />}
      </QueryView>
    </Dialog>
  )
}
