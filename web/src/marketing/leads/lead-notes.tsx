import { type LeadDetail, MAX_NOTE_LENGTH } from '@limber/contract/marketing/leads/lead.ts'
import { Button, Textarea } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { useSession } from '#platform/session/session.tsx'
import { toastFailure } from '#ui/feedback/toast-store.ts'
import { Moment } from '#ui/format/moment.tsx'
import { isSendKey } from '#ui/keyboard/send-key.ts'
import { Avatar } from '#ui/layout/avatar.tsx'
import { SectionCard } from '#ui/layout/section-card.tsx'
import { useNote } from './lead.api.ts'
import styles from './lead-detail.module.css'

/** The notes of a lead, with a field to add one. */
export function LeadNotes({ lead }: { lead: LeadDetail }) {
  const { workerId } = useSession()
  const note = useNote(lead.id)
  const [text, setText] = useState('')
  const words = text.trim()
  const add = () => {
    if (words === '' || note.isPending) return
    void note.mutateAsync({ note: words, workerId }).then(
      () => setText(''),
      // The text stays so that the worker can retry.
      (error: unknown) => toastFailure('Add note failed', error),
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add()
  }
  const send = (event: KeyboardEvent) => {
    if (isSendKey(event)) add()
  }
  return (
    <SectionCard title="Notes" count={lead.notes.length}>
      {lead.notes.length === 0 ? (
        <p className={styles.none}>No notes yet.</p>
      ) : (
        <ol className={styles.thread}>
          {lead.notes.map((one) => (
            <li key={one.id} className={styles.note}>
              <Avatar name={one.worker} />
              <div>
                <span className={styles.by}>
                  <b>{one.worker}</b>, <Moment at={one.timestamp} form="relative" />
                </span>
                <p className={styles.words}>{one.content}</p>
              </div>
            </li>
          ))}
        </ol>
      )}
      <form className={styles.write} onSubmit={submit}>
        <Textarea
          aria-label="Add note"
          placeholder="Add note…"
          minRows={2}
          maxRows={10}
          maxLength={MAX_NOTE_LENGTH}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={send}
        />
        <Button type="submit" className={styles.send ?? ''} loading={note.isPending} disabled={words === ''}>
          Add Note
        </Button>
      </form>
    </SectionCard>
  )
}
