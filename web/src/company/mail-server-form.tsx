import { type MailServer, updateMailServer } from '@limber/contract/company/mail-server.ts'
import { Button } from '@mantine/core'
import { z } from 'zod'
import { useSession } from '#platform/session/session.tsx'
import { Banner } from '#ui/feedback/banner.tsx'
import { toast, toastFailure } from '#ui/feedback/toast-store.ts'
import { ChoiceField, FieldRow, TextField } from '#ui/form/fields.tsx'
import { FormBody } from '#ui/form/form.tsx'
import { NumberField } from '#ui/form/number-field.tsx'
import { useForm } from '#ui/form/use-form.ts'
import { momentText } from '#ui/format/moment-text.ts'
import { useTestMailServer, useUpdateMailServer } from './company.api.ts'
import styles from './company.module.css'
import { useKeptInput } from './use-kept-input.ts'

const { shape } = updateMailServer.body
const Fields = z.object({
  host: shape.host.refine((host) => host !== '', 'is required'),
  port: shape.port,
  security: shape.security,
  username: shape.username.default(''),
  password: shape.password,
  from_address: (shape.from_address as z.ZodType<string>).default(''),
})

const securities = [
  { value: 'starttls', label: 'STARTTLS (587)' },
  { value: 'tls', label: 'TLS (465)' },
  { value: 'none', label: 'None' },
]

/** What the last test email said. */
export function TestResult({ mailServer: { test } }: { mailServer: MailServer }) {
  if (!test) return null
  return (
    <Banner kind={test.isOk ? 'green' : 'red'}>
      <b>{test.summary}</b> It answered: {test.answer} ({momentText(test.at)})
    </Banner>
  )
}

/** Why the fields below do not decide. */
export function MailNotice({ mailServer }: { mailServer: MailServer }) {
  const { fromEnvironment, isConnected, sendsNothing, host } = mailServer
  if (sendsNothing) return <Banner>The sample company sends nothing, whatever is set here.</Banner>
  if (fromEnvironment.server)
    return (
      <Banner kind="blue">
        SMTP_URL is set to {fromEnvironment.server}. It wins over the settings on this screen.
      </Banner>
    )
  if (isConnected) return null
  return (
    <Banner kind="amber">
      {host === ''
        ? 'No mail server is connected, so no email leaves. To read sign-in codes, run npm run limber -- mail.'
        : 'The stored password cannot be read. Enter it again.'}
    </Banner>
  )
}

/** The mail server, with a test email that is really sent. */
export function MailServerForm({ mailServer }: { mailServer: MailServer }) {
  const { worker } = useSession()
  const update = useUpdateMailServer()
  const test = useTestMailServer()
  const { host, port, security, username, from_address, hasPassword, isConnected, version, fromEnvironment } =
    mailServer
  const send = async () => {
    const { test: result, to } = await test.mutateAsync(undefined)
    if (result.isOk) toast(`Test email sent to ${to}.`)
    else toastFailure('The test email was not sent.')
  }
  const model = useForm({
    schema: Fields,
    mutation: {
      mutateAsync: async (typed: z.input<typeof Fields>) => {
        const saved = await update.mutateAsync({ ...Fields.parse(typed), version })
        if (saved.isConnected) await send()
        else toast('Mail server saved.')
      },
    },
    initial: { ...(host && { host }), port, security, username, from_address },
  })
  useKeptInput('mail server', model, { host, port, security, username, from_address })
  const sendOnly = () => send().catch((error: unknown) => toastFailure("Couldn't send the test email", error))
  const foot = (
    <div className={styles.foot}>
      <span className={styles.muted}>The test goes to {worker.email}</span>
      {isConnected && !model.isDirty && (
        <Button variant="default" loading={test.isPending} onClick={() => void sendOnly()}>
          Send test email
        </Button>
      )}
      <Button type="submit" loading={model.isSending}>
        {fromEnvironment.server ? 'Save' : 'Save and send test'}
      </Button>
    </div>
  )
  return (
    <div className={styles.stack}>
      <MailNotice mailServer={mailServer} />
      <FormBody model={model} foot={foot}>
        <FieldRow>
          <TextField label="Server" name="host" placeholder="smtp.example.com" />
          <NumberField label="Port" name="port" min={1} max={65_535} />
          <ChoiceField label="Security" name="security" options={securities} />
        </FieldRow>
        <FieldRow>
          <TextField label="User" name="username" />
          <TextField
            label="Password"
            name="password"
            type="password"
            autoComplete="new-password"
            {...(hasPassword ? { placeholder: 'Stored. Leave empty to keep it.' } : {})}
          />
        </FieldRow>
        <TextField
          label="From address"
          name="from_address"
          type="email"
          hint={
            fromEnvironment.sender
              ? `MAIL_FROM wins: ${fromEnvironment.sender}`
              : 'Leave empty if the user is the address.'
          }
        />
      </FormBody>
      <TestResult mailServer={mailServer} />
    </div>
  )
}
