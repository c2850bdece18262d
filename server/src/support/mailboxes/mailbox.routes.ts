import {
  checkMailbox,
  createMailbox,
  deleteMailbox,
  listMailboxes,
  MAX_MAILBOXES,
  type MailboxCheck,
  type MailboxDraft,
  updateMailbox,
} from '@limber/contract/support/mailboxes/mailbox.ts'
import { loadForUpdate } from '#platform/http/load-for-update.ts'
import { refuse } from '#platform/http/refusal.ts'
import { serve } from '#platform/http/routes.ts'
import { explainMailError } from '#platform/mail/explain-mail-error.ts'
import { checkMailServer } from '#platform/mail/mail.ts'
import type { Keyring } from '#platform/security/secrets.ts'
import type { Services } from '#platform/services.ts'
import { presentMailbox } from './mailbox.present.ts'
import {
  countMailboxes,
  findMailbox,
  findMailboxes,
  insertMailbox,
  lockMailbox,
  type MailboxRow,
  type MailboxSecrets,
  removeMailbox,
  saveMailbox,
} from './mailbox.queries.ts'
import { auditedSettings, mayReuse, needsSecret, withUsers } from './mailbox.rules.ts'
import { IMAP_TIMEOUTS, makeImapClient, smtpOf } from './mailbox-connection.ts'
import { fetchToken, openSecret, sealSecret } from './mailbox-token.ts'

const names = ['imap_secret', 'oauth_secret', 'smtp_secret'] as const

/** The secrets to use: new ones, or stored ones if they go to the same server and user. */
function secretsFor(
  keyring: Keyring,
  draft: MailboxDraft,
  before: MailboxRow | undefined,
  needed: () => Error,
): MailboxSecrets {
  const isNeeded = needsSecret(draft)
  const isReusable = before && mayReuse(before, draft)
  const secretOf = (name: (typeof names)[number]): Buffer | null => {
    const given = draft[name]
    if (!isNeeded[name]) return null
    if (given) return sealSecret(keyring, given)
    if (before?.[name] && !isReusable?.[name]) throw needed()
    return before?.[name] ?? null
  }
  return {
    imap_secret: secretOf('imap_secret'),
    oauth_secret: secretOf('oauth_secret'),
    smtp_secret: secretOf('smtp_secret'),
  }
}

const changedSecrets = (draft: MailboxDraft) =>
  Object.fromEntries(names.filter((name) => draft[name]).map((name) => [name, 'changed']))

/** Replies can use only the token of a mailbox that is read with one. */
const lacksToken = ({ incoming, imap_auth, smtp_host, smtp_auth }: MailboxDraft) =>
  smtp_host !== '' && smtp_auth === 'oauth' && (incoming !== 'imap' || imap_auth !== 'oauth')

const lacksHost = ({ incoming, imap_host, imap_auth, oauth_url }: MailboxDraft) =>
  incoming === 'imap' && (imap_host === '' || (imap_auth === 'oauth' && oauth_url === ''))

const about = (id: number) => ({ subject: 'mailbox' as const, subjectId: id })

async function attempt(
  secrets: readonly string[],
  work: () => Promise<unknown>,
  summary: string,
): Promise<MailboxCheck> {
  try {
    await work()
    return { isOk: true, summary, answer: '' }
  } catch (error) {
    return { isOk: false, ...explainMailError(error, secrets) }
  }
}

type Tried = Omit<MailboxDraft, keyof MailboxSecrets> & MailboxSecrets

const NOT_IN_SAMPLE = {
  isOk: false,
  summary: 'The sample company does not connect to mail servers.',
  answer: '',
}

async function checkImap({ keyring, config }: Pick<Services, 'keyring' | 'config'>, tried: Tried) {
  if (tried.incoming !== 'imap') return null
  if (config.sendsNothing) return NOT_IN_SAMPLE
  const secrets = [tried.imap_secret, tried.oauth_secret].map((each) => openSecret(keyring, each))
  return attempt(
    secrets,
    async () => {
      const token = tried.imap_auth === 'oauth' ? (await fetchToken(tried, keyring)).accessToken : undefined
      const client = await makeImapClient(tried, keyring, { ...IMAP_TIMEOUTS, socket: IMAP_TIMEOUTS.connect }, token)
      client.on('error', () => {})
      try {
        await client.connect()
        await client.mailboxOpen('INBOX', { readOnly: true })
      } finally {
        client.close()
      }
    },
    'Limber can read this mailbox.',
  )
}

async function checkSmtp({ keyring, config }: Pick<Services, 'keyring' | 'config'>, tried: Tried) {
  if (tried.smtp_host === '') return null
  if (config.sendsNothing) return NOT_IN_SAMPLE
  const secrets = [tried.smtp_secret, tried.imap_secret, tried.oauth_secret].map((each) => openSecret(keyring, each))
  return attempt(
    secrets,
    async () => {
      const token = tried.smtp_auth === 'oauth' ? (await fetchToken(tried, keyring)).accessToken : undefined
      const connection = smtpOf(tried, keyring, token)
      if (connection) await checkMailServer(connection)
    },
    'Limber can send through this server.',
  )
}

export const mailboxRoutes = [
  serve(listMailboxes, async ({ db }) => (await findMailboxes(db)).map(presentMailbox)),

  serve(createMailbox, async ({ body, db, now, worker, audit, publish, services: { keyring } }) => {
    if (lacksHost(body)) throw refuse(createMailbox, 'host_needed')
    if (lacksToken(body)) throw refuse(createMailbox, 'token_needed')
    if ((await countMailboxes(db)) >= MAX_MAILBOXES) throw refuse(createMailbox, 'too_many')
    const draft = withUsers(body)
    const secrets = secretsFor(keyring, draft, undefined, () => refuse(createMailbox, 'host_needed'))
    const created = await insertMailbox(db, { ...draft, ...secrets }, worker.workerId, now)
    if (!created) throw refuse(createMailbox, 'address_taken')
    audit({ action: 'mailbox_created', ...about(created.id), after: auditedSettings(draft) })
    publish('mailboxes')
    return presentMailbox(created)
  }),

  serve(updateMailbox, async ({ params: { id }, body, db, now, audit, publish, services: { keyring } }) => {
    const { version, ...given } = body
    const draft = withUsers(given)
    const before = await loadForUpdate(updateMailbox, lockMailbox(db, id), version, presentMailbox)
    if (lacksHost(draft)) throw refuse(updateMailbox, 'host_needed')
    if (lacksToken(draft)) throw refuse(updateMailbox, 'token_needed')
    const secrets = secretsFor(keyring, draft, before, () => refuse(updateMailbox, 'secret_needed'))
    const isElsewhere = draft.imap_host !== before.imap_host || draft.imap_username !== before.imap_username
    const saved = await saveMailbox(db, id, { ...draft, ...secrets }, isElsewhere, now)
    const after = { ...auditedSettings(saved), ...changedSecrets(draft) }
    audit({ action: 'mailbox_changed', ...about(id), before: auditedSettings(before), after })
    publish('mailboxes')
    return presentMailbox(saved)
  }).expecting({ mailboxes_address: 'address_taken' }),

  serve(deleteMailbox, async ({ params: { id }, db, audit, publish }) => {
    const before = await lockMailbox(db, id)
    if (!before) throw refuse(deleteMailbox, 'not_found')
    await removeMailbox(db, id)
    audit({ action: 'mailbox_deleted', ...about(id), before: auditedSettings(before) })
    publish('mailboxes')
    return { id }
  }),

  serve(checkMailbox, async ({ body: { id, ...given }, services }) => {
    const draft = withUsers(given)
    const before = id === undefined ? undefined : await findMailbox(services.db, id)
    if (id !== undefined && !before) throw refuse(checkMailbox, 'not_found')
    if (lacksHost(draft)) throw refuse(checkMailbox, 'host_needed')
    if (lacksToken(draft)) throw refuse(checkMailbox, 'token_needed')
    const secrets = secretsFor(services.keyring, draft, before, () => refuse(checkMailbox, 'secret_needed'))
    const tried = { ...draft, ...secrets }
    const [imap, smtp] = await Promise.all([checkImap(services, tried), checkSmtp(services, tried)])
    return { imap, smtp }
  }),
]
