import { type BusinessEmail, readAddress, type updateEmail } from '@limber/contract/businesses/emails/allowed-email.ts'
import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPencil, IconTrash, IconX } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { isStale } from '#platform/api/call-failure.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { useConflict } from '#ui/form/use-conflict.tsx'
import { Icon } from '#ui/layout/icon.tsx'
import { attempt } from '../business/attempt.ts'
import { useDeleteEmail, useUpdateEmail } from './email.api.ts'
import styles from './email-list.module.css'

function EmailEditor({ email, onDone }: { email: BusinessEmail; onDone: () => void }) {
  // Keep the typed value when the address is reloaded.
  const [base] = useState(email)
  const [text, setText] = useState(email.email)
  const update = useUpdateEmail()
  const { mutateAsync, conflict } = useConflict<typeof updateEmail, { email: string }>({
    base,
    fieldsOf: (one) => ({ email: one.email }),
    title: 'Someone else changed this address',
    formatters: [['Address', (one) => one.email]],
    send: (one) => update.mutateAsync({ email_id: base.id, new_email: one.email, version: one.version }),
    onSaved: () => {
      toast('Saved.')
      onDone()
    },
    onTaken: onDone,
  })
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (readAddress(text) === undefined) return toastFailure('Invalid email format.')
    mutateAsync({ email: text }).catch((error: unknown) => isStale(error) || toastFailure(messageOf(error), error))
  }
  return (
    <>
      <form className={styles.entry} style={{ flex: 1 }} noValidate onSubmit={save}>
        <TextInput
          className={styles.edit ?? ''}
          size="xs"
          type="email"
          aria-label="Edit address"
          value={text}
          autoFocus
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && onDone()}
        />
        <span className={styles.buttons}>
          <Button type="submit" size="xs" loading={update.isPending}>
            Save
          </Button>
          <ActionIcon size={28} aria-label="Cancel" onClick={onDone}>
            <Icon of={IconX} />
          </ActionIcon>
        </span>
      </form>
      {conflict}
    </>
  )
}

interface Props {
  /** Undefined while its page loads. */
  email: BusinessEmail | undefined
  top: number
  place: number
  count: number
}

/** One address: shown, edited in place, or deleted. */
export function EmailRow({ email, top, place, count }: Props) {
  const [isEditing, setEditing] = useState(false)
  const remove = useDeleteEmail()
  const ask = async (one: BusinessEmail) => {
    const isSure = await confirm({
      title: 'Delete this address?',
      body: `${one.email} can no longer book a slot.`,
      action: 'Delete',
      isDestructive: true,
    })
    if (!isSure) return
    await attempt(remove.mutateAsync({ email_id: one.id }), () => toast('Address deleted.'))
  }
  return (
    <li
      className={styles.row}
      style={{ top }}
      data-editing={isEditing || undefined}
      aria-setsize={count}
      aria-posinset={place}
    >
      {email && isEditing && <EmailEditor email={email} onDone={() => setEditing(false)} />}
      {email && !isEditing && (
        <>
          <span className={styles.address} title={email.email}>
            {email.email}
          </span>
          <ActionIcon size={28} aria-label={`Edit ${email.email}`} onClick={() => setEditing(true)}>
            <Icon of={IconPencil} />
          </ActionIcon>
          <ActionIcon size={28} aria-label={`Delete ${email.email}`} onClick={() => void ask(email)}>
            <Icon of={IconTrash} />
          </ActionIcon>
        </>
      )}
      {!email && <span className={styles.ghost} />}
    </li>
  )
}
