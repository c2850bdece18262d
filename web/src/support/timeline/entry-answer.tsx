import { Text } from '@limber/contract/kit/values.ts'
import { adjustCredits, MAX_CREDITS } from '@limber/contract/support/customers/account.ts'
import { addNote } from '@limber/contract/support/customers/note.ts'
import { MAX_TEXT_LENGTH } from '@limber/contract/support/texts/message.ts'
import type { TimelineEntry } from '@limber/contract/support/timeline/timeline.ts'
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { linkTo } from '#platform/routing/links.ts'
import { useCredits } from '#support/customers/account/account.api.ts'
import { ReasonField } from '#support/customers/account/reason-field.tsx'
import { useAddNote, userQuery } from '#support/customers/user.api.ts'
import { useSendText } from '#support/texts/message.api.ts'
import { TicketReply } from '#support/tickets/thread/ticket-reply.tsx'
import { ticketQuery } from '#support/tickets/ticket.api.ts'
import { QueryView } from '#ui/feedback/query-view.tsx'
import { BlockSkeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { AreaField } from '#ui/form/fields.tsx'
import { FormBody } from '#ui/form/form.tsx'
import { NumberField } from '#ui/form/number-field.tsx'
import { useForm } from '#ui/form/use-form.ts'
import { Moment } from '#ui/format/moment.tsx'
import { toastUndo } from '#ui/history/undo-toast.ts'
import styles from './timeline.module.css'
import type { Answer } from './timeline-labels.ts'

interface Props {
  answer: Answer
  customerId: number
  entry: TimelineEntry
  onClose: () => void
}

const SHOWN = 2

function TicketAnswer({ id }: { id: number }) {
  const query = useQuery(ticketQuery(id))
  return (
    <QueryView query={query} loading={<BlockSkeleton height={96} />} failure="Couldn't load the ticket">
      {(ticket) => {
        const { messages, notes } = ticket
        const earlier = messages.length - SHOWN
        const more = [
          earlier > 0 && `${earlier} earlier ${earlier === 1 ? 'message' : 'messages'}`,
          notes.length > 0 && `${notes.length} internal ${notes.length === 1 ? 'note' : 'notes'}`,
        ].filter(Boolean)
        return (
          <div className={styles.thread}>
            {more.length > 0 && (
              <Link className={styles.more} {...linkTo('/support/tickets', { ticket: id })}>
                {more.join(', ')}
              </Link>
            )}
            {messages.slice(-SHOWN).map((message) => (
              <div key={message.id} className={styles.message} data-staff={!message.from_customer || undefined}>
                <p className={styles.author}>
                  <b>
                    {message.from_customer ? (ticket.customer?.name ?? ticket.customer_email) : message.worker?.name}
                  </b>{' '}
                  <Moment at={message.createdAt} />
                </p>
                <p className={styles.words}>{message.content}</p>
              </div>
            ))}
            {ticket.mergedInto === null && <TicketReply key={id} ticket={ticket} onTyping={() => {}} />}
          </div>
        )
      }}
    </QueryView>
  )
}

interface FormProps<S extends z.ZodType> {
  schema: S
  mutation: { mutateAsync(input: z.input<S>): Promise<unknown> }
  submit: string
  onDone: (reply: unknown) => void
  onClose: () => void
  children: ReactNode
}

function SmallForm<S extends z.ZodType>({ schema, mutation, submit, onDone, onClose, children }: FormProps<S>) {
  const model = useForm({ schema, mutation, onDone })
  return (
    <div className={styles.form}>
      <FormBody
        model={model}
        foot={
          <div className={styles.formFoot}>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={model.isSending}>
              {submit}
            </Button>
          </div>
        }
      >
        {children}
      </FormBody>
    </div>
  )
}

const Message = z.strictObject({ body: Text(MAX_TEXT_LENGTH) })

function TextAnswer({ customerId, onClose }: Omit<Props, 'answer' | 'entry'>) {
  const send = useSendText()
  const { data: user } = useQuery(userQuery(customerId))
  const phone = user?.personalInfo.phone
  if (!phone) return null
  return (
    <SmallForm
      schema={Message}
      mutation={{ mutateAsync: ({ body }: z.infer<typeof Message>) => send.mutateAsync({ to: phone, body }) }}
      submit="Send text"
      onDone={() => {
        toast('Text message sent.')
        onClose()
      }}
      onClose={onClose}
    >
      <AreaField name="body" label="Message" rows={2} />
    </SmallForm>
  )
}

/** Answers an entry where it stands. */
export default function EntryAnswer({ answer, customerId, entry, onClose }: Props) {
  const cache = useQueryClient()
  const add = useAddNote(customerId)
  const credits = useCredits(customerId)
  const close = () => {
    void cache.invalidateQueries({ queryKey: ['support', 'timeline', customerId] })
    onClose()
  }
  switch (answer) {
    case 'reply':
      return entry.link ? <TicketAnswer id={entry.link.id} /> : null
    case 'text':
      return <TextAnswer customerId={customerId} onClose={onClose} />
    case 'note':
      return (
        <SmallForm
          schema={addNote.body}
          mutation={add}
          submit="Add Note"
          onDone={() => {
            toast('Note added.')
            close()
          }}
          onClose={onClose}
        >
          <AreaField name="note" label="New note" rows={2} placeholder="Add a new note..." />
        </SmallForm>
      )
    case 'credits':
      return (
        <SmallForm
          schema={adjustCredits.body}
          mutation={credits}
          submit="Adjust"
          onDone={(reply) => {
            toastUndo('Credits adjusted.', reply)
            close()
          }}
          onClose={onClose}
        >
          <NumberField name="delta" label="Credits" min={-MAX_CREDITS} max={MAX_CREDITS} />
          <ReasonField />
        </SmallForm>
      )
  }
}
