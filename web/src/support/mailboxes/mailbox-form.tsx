import { createMailbox, type Mailbox, type MailboxCheck } from '@limber/contract/support/mailboxes/mailbox.ts'
import { Button } from '@mantine/core'
import { use } from 'react'
import { messageOf } from '#platform/api/api.ts'
import { FormDialog } from '#ui/dialog/form-dialog.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { ChoiceField, FieldRow, SwitchField, TextField } from '#ui/form/fields.tsx'
import { FormContext } from '#ui/form/form-state.ts'
import { NumberField } from '#ui/form/number-field.tsx'
import { type MailboxInput, useCheckMailbox, useSaveMailbox } from './mailbox.api.ts'
import styles from './mailboxes.module.css'

const ways = [
  { value: 'imap', label: 'Read the mailbox (IMAP)' },
  { value: 'forward', label: 'Forwarded by your email provider' },
]
const signIns = [
  { value: 'password', label: 'Password' },
  { value: 'oauth', label: 'OAuth 2.0' },
]
const smtpSignIns = [
  { value: 'password', label: 'Password' },
  { value: 'oauth', label: 'Token of the IMAP mailbox' },
]
const securities = (tls: number, starttls: number) => [
  { value: 'tls', label: `TLS (${tls})` },
  { value: 'starttls', label: `STARTTLS (${starttls})` },
  { value: 'none', label: 'None' },
]

const empty: Omit<MailboxInput, 'address' | 'name'> = {
  is_enabled: true,
  confirms: false,
  incoming: 'imap',
  imap_host: '',
  imap_port: 993,
  imap_security: 'tls',
  imap_username: '',
  imap_auth: 'password',
  oauth_url: '',
  oauth_client_id: '',
  smtp_host: '',
  smtp_port: 587,
  smtp_security: 'starttls',
  smtp_username: '',
  smtp_auth: 'password',
}

function initialOf(mailbox: Mailbox | undefined): Partial<MailboxInput> {
  if (!mailbox) return empty
  const { id: _i, version: _v, state: _s, error: _e, readAt: _r, lastMessageAt: _l, ...rest } = mailbox
  const { hasImapSecret: _hi, hasOauthSecret: _ho, hasSmtpSecret: _hs, hasForwardingAddress: _f, ...settings } = rest
  return settings
}

const kept = (has: boolean | undefined) => (has ? { placeholder: 'Stored. Leave empty to keep it.' } : {})

function Result({ what, check }: { what: string; check: MailboxCheck | null }) {
  if (!check) return null
  return (
    <Banner kind={check.isOk ? 'green' : 'red'}>
      <b>
        {what}: {check.summary}
      </b>
      {check.answer && ` It answered: ${check.answer}`}
    </Banner>
  )
}

/** Tries what is typed, without saving it. */
function CheckConnection({ id }: { id: number | undefined }) {
  const values = use(FormContext)?.values ?? {}
  const check = useCheckMailbox()
  const tried = createMailbox.body.safeParse(values)
  const run = () => tried.success && check.mutate({ ...tried.data, ...(id !== undefined && { id }) })
  return (
    <div className={styles.check} role="status">
      <Button variant="default" disabled={!tried.success} loading={check.isPending} onClick={run}>
        Check connection
      </Button>
      {!tried.success && <p className={styles.hint}>Enter the address, the sender name and the servers first.</p>}
      {check.data && <Result what="Incoming" check={check.data.imap} />}
      {check.data && <Result what="Replies" check={check.data.smtp} />}
      {check.data && !check.data.imap && !check.data.smtp && <Banner>There is no server to connect to.</Banner>}
      {check.error && <Banner kind="red">{messageOf(check.error)}</Banner>}
    </div>
  )
}

function Incoming({ mailbox }: { mailbox: Mailbox | undefined }) {
  const values = use(FormContext)?.values ?? {}
  if (values.incoming === 'forward')
    return (
      <p className={styles.hint}>
        Your provider posts each email to an address that only it knows.{' '}
        {mailbox?.hasForwardingAddress ? 'This mailbox has one.' : 'You get it after you save this mailbox.'}
      </p>
    )
  return (
    <>
      <FieldRow>
        <TextField label="IMAP server" name="imap_host" placeholder="imap.example.com" />
        <NumberField label="IMAP port" name="imap_port" min={1} max={65_535} />
        <ChoiceField label="IMAP security" name="imap_security" options={securities(993, 143)} />
      </FieldRow>
      <FieldRow>
        <TextField label="IMAP user" name="imap_username" placeholder="Usually the address" />
        <ChoiceField label="Sign in with" name="imap_auth" options={signIns} />
        <TextField
          label={values.imap_auth === 'oauth' ? 'Refresh token' : 'IMAP password'}
          name="imap_secret"
          type="password"
          autoComplete="new-password"
          isOptional
          {...kept(mailbox?.hasImapSecret)}
        />
      </FieldRow>
      {values.imap_auth === 'oauth' && (
        <FieldRow>
          <TextField label="Token address" name="oauth_url" placeholder="https://oauth2.example.com/token" />
          <TextField label="Client ID" name="oauth_client_id" />
          <TextField
            label="Client secret"
            name="oauth_secret"
            type="password"
            autoComplete="new-password"
            isOptional
            {...kept(mailbox?.hasOauthSecret)}
          />
        </FieldRow>
      )}
    </>
  )
}

function Replies({ mailbox }: { mailbox: Mailbox | undefined }) {
  const values = use(FormContext)?.values ?? {}
  const hasToken = values.incoming === 'imap' && values.imap_auth === 'oauth'
  return (
    <>
      <FieldRow>
        <TextField label="SMTP server" name="smtp_host" placeholder="smtp.example.com" />
        <NumberField label="SMTP port" name="smtp_port" min={1} max={65_535} />
        <ChoiceField label="SMTP security" name="smtp_security" options={securities(465, 587)} />
      </FieldRow>
      <p className={styles.hint}>Without an SMTP server, replies leave through the company's mail server.</p>
      <FieldRow>
        <TextField label="SMTP user" name="smtp_username" placeholder="Usually the address" />
        {(hasToken || values.smtp_auth === 'oauth') && (
          <ChoiceField label="Sign in to SMTP with" name="smtp_auth" options={smtpSignIns} />
        )}
        {values.smtp_auth !== 'oauth' && (
          <TextField
            label="SMTP password"
            name="smtp_secret"
            type="password"
            autoComplete="new-password"
            isOptional
            {...kept(mailbox?.hasSmtpSecret)}
          />
        )}
      </FieldRow>
    </>
  )
}

interface Props {
  mailbox: Mailbox | undefined
  onSaved: (mailbox: Mailbox) => void
  onClose: () => void
}

/** Adds a mailbox or changes one. */
export function MailboxForm({ mailbox, onSaved, onClose }: Props) {
  const save = useSaveMailbox(mailbox, onSaved)
  return (
    <FormDialog
      isOpen
      onClose={onClose}
      title={mailbox ? `Edit ${mailbox.address}` : 'Add mailbox'}
      context="New emails become tickets. Replies leave from this address."
      submit={mailbox ? 'Save' : 'Add mailbox'}
      size={640}
      schema={createMailbox.body}
      mutation={save}
      initial={initialOf(mailbox)}
    >
      <FieldRow>
        <TextField label="Address" name="address" type="email" placeholder="help@example.com" />
        <TextField label="Sender name" name="name" placeholder="Coastline Support" />
      </FieldRow>
      <ChoiceField label="Incoming email" name="incoming" options={ways} />
      <Incoming mailbox={mailbox} />
      <Replies mailbox={mailbox} />
      <SwitchField
        label="Confirm new tickets"
        name="confirms"
        hint="People get an email that their request arrived. Programs and mailing lists get none."
      />
      <SwitchField label="Mailbox is active" name="is_enabled" />
      <CheckConnection id={mailbox?.id} />
    </FormDialog>
  )
}
