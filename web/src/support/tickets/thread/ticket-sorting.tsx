import { type TicketDetail, type TicketKind, ticketKindLabels } from '@limber/contract/support/tickets/ticket.ts'
import { CloseButton, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { tagsQuery } from '#support/queues/queue.api.ts'
import { kindOptions } from '#support/queues/queue-labels.ts'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { toastUndo } from '#ui/history/undo-toast.ts'
import { Facts } from '#ui/layout/facts.tsx'
import { useChangeTicket } from '../ticket-change.api.ts'
import styles from './ticket-sorting.module.css'

const NewTag = lazy(() => import('./new-tag.tsx'))
const NEW = 'new'

/** Kind and tags of a ticket, as rows of its facts. */
export default function TicketSorting({ ticket: { id, kind, tags, mergedInto } }: { ticket: TicketDetail }) {
  const change = useChangeTicket(id)
  const { data: all = [] } = useQuery(tagsQuery)
  const [isNaming, setNaming] = useState(false)
  const isMerged = mergedInto !== null
  const run = (text: string, failure: string, done: Promise<unknown>) =>
    void done.then(
      (reply) => toastUndo(text, reply),
      (error: unknown) => toastFailure(failure, error),
    )
  const add = (tag: number) => run('Tag added.', "Couldn't add the tag", change.mutateAsync({ addTag: tag }))
  const setKind = (next: TicketKind | null) => {
    const text = next ? `Kind set to ${ticketKindLabels[next]}.` : 'Kind removed.'
    run(text, "Couldn't set the kind", change.mutateAsync({ kind: next }))
  }
  const free = all.filter((tag) => !tags.some((one) => one.id === tag.id))
  return (
    <>
      <Facts.Row label="Kind">
        <NativeSelect
          className={styles.choice ?? ''}
          aria-label="Kind of this ticket"
          data={[{ value: '', label: 'Not set' }, ...kindOptions]}
          value={kind ?? ''}
          disabled={isMerged}
          onChange={(event) => setKind((event.currentTarget.value || null) as TicketKind | null)}
        />
      </Facts.Row>
      <Facts.Row label="Tags">
        <div className={styles.tags}>
          {tags.map((tag) => (
            <span key={tag.id} className={styles.tag}>
              <span className={styles.name}>{tag.name}</span>
              {!isMerged && (
                <CloseButton
                  size={16}
                  aria-label={`Remove tag ${tag.name}`}
                  onClick={() =>
                    run('Tag removed.', "Couldn't remove the tag", change.mutateAsync({ removeTag: tag.id }))
                  }
                />
              )}
            </span>
          ))}
          {!isMerged && (
            <NativeSelect
              className={styles.add ?? ''}
              size="xs"
              aria-label="Add a tag"
              aria-keyshortcuts="#"
              data={[
                { value: '', label: '+ Tag' },
                ...free.map(({ id: value, name }) => ({ value: String(value), label: name })),
                { value: NEW, label: 'New tag…' },
              ]}
              value=""
              onChange={({ currentTarget: { value } }) => {
                if (value === NEW) setNaming(true)
                else if (value) add(Number(value))
              }}
            />
          )}
        </div>
      </Facts.Row>
      <Suspense>{isNaming && <NewTag onClose={() => setNaming(false)} onCreated={add} />}</Suspense>
    </>
  )
}
