import type { HistoryPage } from '@limber/contract/access/history/history.ts'
import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { CloseButton, NativeSelect } from '@mantine/core'
import { IconChevronDown, IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { now } from '#platform/clock.ts'
import { useLiveRefresh } from '#platform/live/live.ts'
import { Dialog } from '../dialog/dialog.tsx'
import { useLayer } from '../dialog/layers.ts'
import { EmptyState } from '../feedback/empty-state.tsx'
import { FailureView } from '../feedback/failure-view.tsx'
import { RefetchFailure } from '../feedback/refetch-failure.tsx'
import { ListSkeleton } from '../feedback/skeleton.tsx'
import { groupByDay } from '../format/group-by-day.ts'
import { momentText } from '../format/moment-text.ts'
import { isLetterKey } from '../keyboard/is-page-key.ts'
import { isTyping } from '../keyboard/is-typing.ts'
import { useWindowKeys } from '../keyboard/use-window-keys.ts'
import { Icon } from '../layout/icon.tsx'
import { type By, historyKey, historyQuery, type RecordRef, topicOf, useRestore } from './history.api.ts'
import styles from './history.module.css'
import { HistoryEntry } from './history-entry.tsx'

const choices = [
  { value: '', label: 'Anyone' },
  { value: 'people', label: 'People' },
  { value: 'programs', label: 'Programs' },
]

/** What the record is called, and how much happened to it since when. */
function contextOf({ name, total }: HistoryPage): string {
  if (total.count === 0) return name
  const count = total.isMore ? `more than ${pluralize(total.count, 'change')}` : pluralize(total.count, 'change')
  return total.since === null || total.isMore
    ? `${name}, ${count}`
    : `${name}, ${count} since ${momentText(total.since, 'day')}`
}

const focusedEntry = () => document.activeElement?.closest<HTMLElement>('li') ?? null

/** Moves the focus to the next or previous change. */
function step(list: HTMLElement | null, by: 1 | -1) {
  const entries = [...(list?.querySelectorAll<HTMLElement>('li') ?? [])]
  const place = entries.indexOf(document.activeElement as HTMLElement)
  entries[place < 0 ? 0 : Math.min(Math.max(place + by, 0), entries.length - 1)]?.focus()
}

interface ListProps {
  record: RecordRef
  query: ReturnType<typeof useHistory>
  by: By
  onBy: (by: By) => void
}

const useHistory = (record: RecordRef, by: By) => useInfiniteQuery(historyQuery(record, by))

/** The changes by day, filtered by who made them. */
function HistoryList({ record, query, by, onBy }: ListProps) {
  const list = useRef<HTMLElement>(null)
  const restoring = useRestore(record)
  const [first] = query.data?.pages ?? []
  const changes = query.data?.pages.flatMap((page) => page.changes) ?? []
  const remaining = first && !first.total.isMore ? first.total.count - changes.length : undefined
  useWindowKeys((event) => {
    if (isTyping(event.target) || event.altKey) return
    const isCommand = event.ctrlKey || event.metaKey
    if (!isCommand && !isLetterKey(event)) return
    const key = isCommand ? `ctrl ${event.key}` : event.key
    if (key === 'j' || key === 'k') step(list.current, key === 'j' ? 1 : -1)
    else if (key === 'r') focusedEntry()?.querySelector<HTMLElement>('[data-restore]')?.click()
    else if (key === 'ctrl z') restoring.undoLast(changes)
    else return
    event.preventDefault()
  })
  return (
    <>
      <div className={styles.tools}>
        <NativeSelect
          aria-label="Who"
          size="xs"
          data={choices}
          value={by ?? ''}
          onChange={(event) => onBy((event.currentTarget.value || undefined) as By)}
        />
      </div>
      <section ref={list} className={styles.body} aria-label="Changes" aria-busy={query.isPlaceholderData}>
        {query.isPending && <ListSkeleton rows={5} />}
        {query.isError && !query.data && (
          <FailureView
            title="Couldn't load the history"
            error={query.error}
            onRetry={() => void query.refetch()}
            isRetrying={query.isFetching}
          />
        )}
        {query.data && <RefetchFailure query={query} failure="Couldn't load the history" />}
        {query.data && changes.length === 0 && (
          <EmptyState icon={IconHistory} title="No changes yet">
            {by ? 'No changes of this kind. Choose Anyone to see all.' : 'Changes of this record will appear here.'}
          </EmptyState>
        )}
        {groupByDay(changes, now()).map((day) => (
          <section key={day.id} aria-label={day.title}>
            <h3 className={styles.day}>
              {day.title}
              {day.date && <small>{day.date}</small>}
            </h3>
            <ol>
              {day.entries.map((change) => (
                <HistoryEntry key={change.id} change={change} form={day.form} restoring={restoring} />
              ))}
            </ol>
          </section>
        ))}
        {query.hasNextPage && (
          <button
            type="button"
            className={styles.more}
            disabled={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            <Icon of={IconChevronDown} size={14} />
            {remaining === undefined ? 'Earlier changes' : pluralize(remaining, 'earlier change')}
          </button>
        )}
      </section>
    </>
  )
}

interface PanelProps {
  context: string
  onClose: () => void
  children: ReactNode
}

/** Beside the page: on wide screens it pushes the page aside, so that a field and its change are seen together. */
function Panel({ context, onClose, children }: PanelProps) {
  const panel = useRef<HTMLElement>(null)
  useLayer(true, onClose)
  useEffect(() => {
    const opener = document.activeElement
    panel.current?.focus()
    return () => {
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return createPortal(
    <aside ref={panel} className={styles.drawer} tabIndex={-1} aria-label="History" data-history>
      <header className={styles.head}>
        <div>
          <h2>History</h2>
          <p>{context}</p>
        </div>
        <CloseButton aria-label="Close, Esc" size={32} iconSize={18} onClick={onClose} />
      </header>
      {children}
    </aside>,
    document.body,
  )
}

interface Props {
  record: RecordRef
  isInDialog: boolean
  onClose: () => void
}

/** The history of a record. */
export default function HistoryDrawer({ record, isInDialog, onClose }: Props) {
  const [by, setBy] = useState<By>()
  const query = useHistory(record, by)
  useLiveRefresh(topicOf[record.kind], historyKey(record))
  const [first] = query.data?.pages ?? []
  const context = first ? contextOf(first) : '\u00a0'
  const list = <HistoryList record={record} query={query} by={by} onBy={setBy} />
  if (isInDialog)
    return (
      <Dialog isOpen isSide onClose={onClose} title="History" context={context} size={520}>
        <div className={styles.inDialog}>{list}</div>
      </Dialog>
    )
  return (
    <Panel context={context} onClose={onClose}>
      {list}
    </Panel>
  )
}
