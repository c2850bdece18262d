import { PASSKEY_ABOVE } from '@limber/contract/growth/partners/partner.ts'
import { formatList, pluralize } from '@limber/contract/kit/formats/numbers.ts'
import { ActionIcon, Button, Textarea, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { confirm } from '#ui/dialog/confirm.ts'
import { Dialog } from '#ui/dialog/dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { toast } from '#ui/feedback/toast-store.ts'
import { refusedFields, sentence } from '#ui/form/form-state.ts'
import { onSendKey } from '#ui/keyboard/send-key.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { OUTREACH_TEMPLATE } from './labels.ts'
import { useSendOutreach } from './partner.api.ts'
import styles from './partners.module.css'

interface Row {
  key: number
  email: string
}

interface RowsProps {
  rows: readonly Row[]
  /** The problem with each address, by row key. */
  problems: ReadonlyMap<number, string>
  onChange: (rows: readonly Row[]) => void
}

/** One row per address, always at least one. A pasted list fills several rows. */
function Recipients({ rows, problems, onChange }: RowsProps) {
  const next = useRef(rows.length)
  const put = (key: number, text: string) => {
    const [first = '', ...others] = text.split(/[\s,;]+/)
    const more = others.filter(Boolean).map((email) => ({ key: next.current++, email }))
    onChange(
      rows.flatMap((row) => {
        if (row.key !== key) return [row]
        return others.length > 0 ? [{ key, email: first }, ...more] : [{ key, email: text }]
      }),
    )
  }
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>Recipients</legend>
      <div className={styles.recipients}>
        {rows.map(({ key, email }, place) => (
          <div key={key} className={styles.recipient}>
            <TextInput
              type="email"
              aria-label={`Recipient ${place + 1}`}
              placeholder="name@example.com"
              autoComplete="off"
              value={email}
              error={problems.get(key)}
              onChange={(event) => put(key, event.currentTarget.value)}
            />
            {place > 0 && (
              <ActionIcon
                variant="default"
                size={36}
                aria-label={`Remove recipient ${place + 1}`}
                onClick={() => onChange(rows.filter((row) => row.key !== key))}
              >
                <Icon of={IconX} />
              </ActionIcon>
            )}
          </div>
        ))}
        <div>
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon of={IconPlus} size={14} />}
            onClick={() => onChange([...rows, { key: next.current++, email: '' }])}
          >
            Add recipient
          </Button>
        </div>
      </div>
    </fieldset>
  )
}

interface Props {
  businessId: number | null
  emails: readonly string[]
  name: string
  onSent: () => void
  onClose: () => void
}

/** There is always at least one row. */
const rowsOf = (emails: readonly string[]): readonly Row[] =>
  (emails.length === 0 ? [''] : emails).map((email, key) => ({ key, email }))

/** Scrolls to the error, which a long list of recipients could hide. */
const reveal = (node: HTMLElement | null) => node?.scrollIntoView({ block: 'nearest' })

const MAX_NAMED = 3
const people = (count: number) => pluralize(count, 'person', 'people')

/** An email to a partner. The typed text stays when sending fails. */
export default function OutreachDialog({ businessId, emails, name, onSent, onClose }: Props) {
  const id = useId()
  const send = useSendOutreach()
  const form = useRef<HTMLFormElement>(null)
  const [rows, setRows] = useState<readonly Row[]>(() => rowsOf(emails))
  const [draft, setDraft] = useState({ subject: '', header: '', body: OUTREACH_TEMPLATE })
  const isTyped =
    draft.subject !== '' ||
    draft.header !== '' ||
    draft.body !== OUTREACH_TEMPLATE ||
    rows.map(({ email }) => email).join() !==
      rowsOf(emails)
        .map(({ email }) => email)
        .join()
  const close = async () => {
    if (send.isPending) return
    const question = {
      title: 'Discard this email?',
      action: 'Discard',
      cancel: 'Keep editing',
      isDestructive: true,
    }
    if (!isTyped || (await confirm(question))) onClose()
  }
  const put = (part: Partial<typeof draft>) => setDraft((before) => ({ ...before, ...part }))
  const filled = rows.filter((row) => row.email.trim() !== '')
  const refused = refusedFields(send.error)
  const problem = (name: keyof typeof draft, label: string) => sentence(label, refused[name])
  // Without any address, the first row is sent as it is, so that the error appears there.
  const sentRows = filled.length > 0 ? filled : rows.slice(0, 1)
  const problems = new Map(
    sentRows.flatMap(({ key }, place) => {
      const words = sentence('The address', refused[`recipients.${place}`])
      return words ? [[key, words] as const] : []
    }),
  )
  useEffect(() => {
    if (send.error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [send.error])
  const submit = () => {
    const recipients = sentRows.map((row) => row.email.trim())
    send.mutate(
      { recipients, ...draft, businessId },
      {
        onSuccess: ({ sent, skippedAddresses: left }) => {
          const who = left.length <= MAX_NAMED ? formatList(left) : people(left.length)
          const out = left.length > 0 ? ` Skipped because they opted out or cannot be reached: ${who}.` : ''
          toast(`Email sent to ${people(sent)}.${out}`)
          onSent()
          onClose()
        },
      },
    )
  }
  const foot = (
    <>
      <Button variant="default" onClick={() => void close()} disabled={send.isPending}>
        Cancel
      </Button>
      <Button type="submit" form={id} loading={send.isPending}>
        Send
      </Button>
    </>
  )
  return (
    <Dialog
      isOpen
      onClose={() => void close()}
      title="Send Outreach Email"
      context={`${name || 'To anyone who may become a partner'}. An email cannot be taken back.`}
      size={640}
      foot={foot}
    >
      <form
        ref={form}
        id={id}
        className={styles.page}
        noValidate
        onKeyDown={onSendKey(() => form.current?.requestSubmit())}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextInput
          label="Subject"
          autoComplete="off"
          value={draft.subject}
          error={problem('subject', 'Subject')}
          onChange={(event) => put({ subject: event.currentTarget.value })}
        />
        <Recipients rows={rows} problems={problems} onChange={setRows} />
        {filled.length > PASSKEY_ABOVE && (
          <Banner kind="amber">Sending to more than {PASSKEY_ABOVE} people requires your passkey.</Banner>
        )}
        <TextInput
          label="Header"
          autoComplete="off"
          value={draft.header}
          error={problem('header', 'Header')}
          onChange={(event) => put({ header: event.currentTarget.value })}
        />
        <Textarea
          label="Body"
          minRows={10}
          maxRows={16}
          value={draft.body}
          error={problem('body', 'Body')}
          onChange={(event) => put({ body: event.currentTarget.value })}
        />
        {send.isError && Object.keys(refused).length === 0 && (
          <div ref={reveal}>
            <Banner kind="red">{messageOf(send.error)}</Banner>
          </div>
        )}
      </form>
    </Dialog>
  )
}
