import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE, SECOND } from '#platform/clock.ts'
import { runWork, type Work } from '#platform/db/work.ts'
import { explainMailError } from '#platform/mail/explain-mail-error.ts'
import { randomToken } from '#platform/security/secrets.ts'
import { describeError } from '#platform/telemetry/log.ts'
import {
  claimMailboxes,
  findMailbox,
  type MailboxRow,
  noteConnected,
  noteFailed,
  noteRead,
  releaseMailbox,
  renewClaim,
} from './mailbox.queries.ts'
import { IMAP_TIMEOUTS, makeImapClient } from './mailbox-connection.ts'
import { makeTokens, type Tokens } from './mailbox-token.ts'
import { type ReaderNeeds, type Reading, readInbox } from './read-inbox.ts'
import { Superseded } from './store-mail.ts'

const LOOK_EVERY = 2 * SECOND
const RENEW_EVERY = 5 * SECOND
/** How often a mailbox is read whose server does not announce new emails. */
const POLL_EVERY = 15 * SECOND
const MAX_PAUSE = 5 * MINUTE

export const READER_TIMES = {
  look: LOOK_EVERY,
  renew: RENEW_EVERY,
  poll: POLL_EVERY,
  pause: 5 * SECOND,
  ...IMAP_TIMEOUTS,
}
export type ReaderTimes = typeof READER_TIMES

/**
 * Reads the mailboxes. Any number of processes can run one: each mailbox belongs to one of them at a time, by a lease on
 * the database's clock.
 */
export function startMailboxReader(services: ReaderNeeds, times: ReaderTimes = READER_TIMES) {
  const { db, log, config } = services
  const sessions = new Map<number, ReturnType<typeof startSession>>()
  const tokens = makeTokens(services)
  let looking: Promise<void> | undefined
  let isClosed = false

  async function look() {
    // Each claim has its own name, so that the session of an older one cannot touch it.
    const runner = randomToken(12)
    for (const mailbox of await claimMailboxes(db, runner)) {
      // Its settings changed before the old session noticed.
      await sessions.get(mailbox.id)?.stop()
      if (isClosed) return
      const session = startSession(services, tokens, mailbox, runner, times)
      sessions.set(mailbox.id, session)
      void session.done.then(() => {
        if (sessions.get(mailbox.id) === session) sessions.delete(mailbox.id)
      })
    }
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch((error) => log.warn('mailboxes are waiting for the database', describeError(error)))
      .finally(() => {
        looking = undefined
      })
  }, times.look)
  timer.unref()
  // The sample company connects to nothing outside.
  if (config.sendsNothing) clearInterval(timer)
  return {
    async close() {
      isClosed = true
      clearInterval(timer)
      await looking
      await Promise.all([...sessions.values()].map((session) => session.stop()))
    },
  }
}

/** Reads one mailbox until its claim ends. Connects again after failures, with growing pauses. */
function startSession(services: ReaderNeeds, tokens: Tokens, mailbox: MailboxRow, runner: string, times: ReaderTimes) {
  const { db, log } = services
  const stop = new AbortController()
  const { signal } = stop
  const reading: Reading = {
    mailbox,
    runner,
    position:
      mailbox.uid_validity === null ? undefined : { uid_validity: mailbox.uid_validity, last_uid: mailbox.last_uid },
  }
  const note = (write: (work: Work) => Promise<unknown>) =>
    runWork(services, { call: 'mailbox reader' }, async (work) => {
      await write(work)
      work.publish('mailboxes')
      // The desk shows which mailboxes fail.
      work.publish('tickets')
    })
  const renewal = setInterval(() => {
    renewClaim(db, mailbox.id, runner).then(
      (isOurs) => isOurs || stop.abort(),
      (error) => log.warn('claim of a mailbox not renewed', describeError(error)),
    )
  }, times.renew)
  renewal.unref()

  /** One connection, until it ends. */
  async function connect(onRead: () => void) {
    // The refresh token may have been replaced since.
    const current = (await findMailbox(db, mailbox.id)) ?? mailbox
    const token = current.imap_auth === 'oauth' ? await tokens.open(current) : undefined
    const client = await makeImapClient(current, services.keyring, times, token)
    let wake = () => {}
    let failure: unknown
    client.on('exists', () => wake())
    client.on('close', () => wake())
    client.on('error', (error: unknown) => {
      failure ??= error
    })
    const end = () => {
      client.close()
      wake()
    }
    signal.addEventListener('abort', end)
    try {
      await client.connect()
      await client.mailboxOpen('INBOX', { readOnly: true })
      await note((work) => noteConnected(work.db, mailbox.id, runner, work.now))
      const hasIdle = client.capabilities.has('IDLE')
      while (!signal.aborted && client.usable) {
        const woken = Promise.withResolvers<void>()
        wake = woken.resolve
        await readInbox(services, client, reading)
        await noteRead(db, mailbox.id, runner, services.clock.now())
        onRead()
        const timeout = setTimeout(woken.resolve, hasIdle ? times.idle : times.poll)
        if (hasIdle) client.idle().catch(() => wake())
        await woken.promise
        clearTimeout(timeout)
        // A server that does not announce new emails tells about them on demand.
        if (client.usable && !hasIdle) await client.noop()
      }
      if (!signal.aborted) throw failure ?? Object.assign(new Error('connection closed'), { code: 'ECONNRESET' })
    } finally {
      signal.removeEventListener('abort', end)
      client.close()
    }
  }

  async function run() {
    let failures = 0
    while (!signal.aborted) {
      try {
        await connect(() => {
          failures = 0
        })
      } catch (error) {
        if (signal.aborted || error instanceof Superseded) break
        tokens.forget(mailbox.id)
        const { summary, answer } = explainMailError(error)
        log.warn('a mailbox cannot be read', { name: `mailbox ${mailbox.id}`, reason: `${summary} ${answer}` })
        await note((work) => noteFailed(work.db, mailbox.id, runner, summary, work.now)).catch(() => {})
        failures += 1
        await sleep(Math.min(times.pause * 2 ** (failures - 1), MAX_PAUSE), undefined, { signal }).catch(() => {})
      }
    }
  }

  async function runAndRelease() {
    try {
      await run()
    } catch (error) {
      log.error('reading a mailbox ended', describeError(error))
    } finally {
      clearInterval(renewal)
      await releaseMailbox(db, mailbox.id, runner).catch(() => {})
    }
  }

  const done = runAndRelease()
  return {
    done,
    async stop() {
      stop.abort()
      await done
    },
  }
}
