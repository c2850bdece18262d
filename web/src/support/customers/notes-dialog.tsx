import { addNote, type UserNote } from '@limber/contract/support/customers/note.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { TextSkeleton } from '#ui/feedback/skeleton.tsx'
import { AreaField } from '#ui/form/fields.tsx'
import { FormBody } from '#ui/form/form.tsx'
import { useForm } from '#ui/form/use-form.ts'
import { Moment } from '#ui/format/moment.tsx'
import styles from './notes-dialog.module.css'
import { notesQuery, useAddNote } from './user.api.ts'

function Note({ note: { note, staffId, staffName, timestamp } }: { note: UserNote }) {
  return (
    <li className={styles.note}>
      <p className={styles.words}>{note}</p>
      <p className={styles.meta}>
        <span>
          By: {staffId} ({staffName})
        </span>
        <Moment at={timestamp} />
      </p>
    </li>
  )
}

/** The form for a new note; blank notes are not sent. */
function NewNote({ id, onDirty, onAdded }: { id: number; onDirty: (isDirty: boolean) => void; onAdded: () => void }) {
  const model = useForm({ schema: addNote.body, mutation: useAddNote(id), onDone: onAdded })
  const isBlank = String(model.values.note ?? '').trim() === ''
  const submit = async () => !isBlank && (await model.submit())
  const set = (name: string, value: unknown) => {
    onDirty(String(value ?? '').trim() !== '')
    model.set(name, value)
  }
  return (
    <FormBody
      model={{ ...model, set, submit }}
      foot={
        <div className={styles.foot}>
          <Button type="submit" loading={model.isSending} disabled={isBlank}>
            Add Note
          </Button>
        </div>
      }
    >
      <AreaField label="New note" name="note" rows={3} placeholder="Add a new note..." />
    </FormBody>
  )
}

interface Props {
  id: number
  name: string
  /** Erased or merged: no notes can be added. */
  isClosed: boolean
  onClose: () => void
}

/** The notes about a customer and a form for a new one. */
export default function NotesDialog({ id, name, isClosed, onClose }: Props) {
  const query = useQuery(notesQuery(id))
  const [added, setAdded] = useState(0)
  const [isDirty, setDirty] = useState(false)
  const close = async () => {
    const question = {
      title: 'Discard your changes?',
      action: 'Discard',
      cancel: 'Keep editing',
      isDestructive: true,
    }
    if (!isDirty || (await confirm(question))) onClose()
  }
  return (
    <Dialog
      isOpen
      onClose={() => void close()}
      title="User Notes"
      context={`About ${name}. Customers cannot see notes.`}
      size={520}
    >
      <div className={styles.notes}>
        {!isClosed && (
          <NewNote
            key={added}
            id={id}
            onDirty={setDirty}
            onAdded={() => {
              setDirty(false)
              setAdded((before) => before + 1)
            }}
          />
        )}
        <QueryView
          query={query}
          failure="Failed to fetch notes"
          loading={<TextSkeleton lines={4} />}
          isEmpty={(notes) => notes.length === 0}
          empty={<p className={styles.meta}>{isClosed ? 'No notes' : 'No notes yet. Add the first one above.'}</p>}
        >
          {(notes) => (
            <ul className={styles.list} aria-label="Notes">
              {notes.map((note) => (
                <Note key={note.id} note={note} />
              ))}
            </ul>
          )}
        </QueryView>
      </div>
    </Dialog>
  )
}
