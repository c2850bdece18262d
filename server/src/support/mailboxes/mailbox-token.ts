import { MINUTE, SECOND } from '#platform/clock.ts'
import type { Keyring } from '#platform/security/secrets.ts'
import type { Services } from '#platform/services.ts'
import { type MailboxRow, replaceToken } from './mailbox.queries.ts'

const PURPOSE = 'mailbox'

export const sealSecret = (keyring: Keyring, secret: string) => keyring.seal(PURPOSE, secret)

class MailboxError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export function openSecret(keyring: Keyring, sealed: Buffer | null): string {
  try {
    return sealed ? keyring.open(PURPOSE, sealed) : ''
  } catch {
    throw new MailboxError('KEY', 'no key')
  }
}

type TokenSettings = Pick<MailboxRow, 'imap_secret' | 'oauth_url' | 'oauth_client_id' | 'oauth_secret'>

interface Token {
  accessToken: string
  /** How long it is valid. */
  ms: number
  /** Replaces the one that was sent. */
  refreshToken: string | undefined
}

const TOKEN_TIMEOUT = 15 * SECOND
const MAX_TOKEN_REPLY = 20_000
const USUAL_LIFE = 5 * MINUTE

/** Exchanges the refresh token for a token that opens the mailbox. */
export async function fetchToken(settings: TokenSettings, keyring: Keyring): Promise<Token> {
  const secret = openSecret(keyring, settings.oauth_secret)
  const reply = await fetch(settings.oauth_url, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(TOKEN_TIMEOUT),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: settings.oauth_client_id,
      // A public client has none.
      ...(secret && { client_secret: secret }),
      refresh_token: openSecret(keyring, settings.imap_secret),
    }).toString(),
  }).catch(() => {
    throw new MailboxError('TOKEN_SERVICE', 'no answer')
  })
  const said = parse((await reply.text().catch(() => '')).slice(0, MAX_TOKEN_REPLY))
  const accessToken = reply.ok ? textOf(said.access_token) : undefined
  if (accessToken === undefined) {
    const why = [textOf(said.error), textOf(said.error_description)].filter(Boolean).join(': ')
    throw new MailboxError(reply.status >= 500 ? 'TOKEN_SERVICE' : 'TOKEN', `${reply.status} ${why}`.trim())
  }
  const seconds = Number(said.expires_in)
  const ms = Number.isFinite(seconds) && seconds > 0 ? seconds * SECOND : USUAL_LIFE
  return { accessToken, ms, refreshToken: textOf(said.refresh_token) }
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** A token about to end could end on its way. */
const MARGIN = MINUTE

export type Tokens = ReturnType<typeof makeTokens>

/** Gives the tokens of mailboxes. Each is kept until shortly before its end, or until it is refused. */
export function makeTokens({ db, keyring, clock }: Pick<Services, 'db' | 'keyring' | 'clock'>) {
  const kept = new Map<number, { settings: string; accessToken: string; until: number }>()
  const nameOf = ({ version, oauth_url }: MailboxRow) => `${version} ${oauth_url}`
  return {
    async open(mailbox: MailboxRow): Promise<string> {
      const now = clock.now().getTime()
      const known = kept.get(mailbox.id)
      if (known && known.settings === nameOf(mailbox) && now < known.until) return known.accessToken
      const { accessToken, ms, refreshToken } = await fetchToken(mailbox, keyring)
      if (
        refreshToken !== undefined &&
        mailbox.imap_secret &&
        refreshToken !== openSecret(keyring, mailbox.imap_secret)
      )
        await replaceToken(db, mailbox.id, mailbox.imap_secret, sealSecret(keyring, refreshToken))
      kept.set(mailbox.id, { settings: nameOf(mailbox), accessToken, until: now + ms - MARGIN })
      return accessToken
    },
    forget: (id: number) => kept.delete(id),
  }
}
