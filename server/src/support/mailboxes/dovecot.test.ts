// @module-tag slow
import { createMailbox, listMailboxes } from '@limber/contract/support/mailboxes/mailbox.ts'
import { readTicket, respondToTicket } from '@limber/contract/support/tickets/ticket.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { eventually, startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { named, PNG, partsLetter } from '../files/ticket-file.testing.ts'
import { type Dovecot, findDovecot, openDovecot } from './dovecot.testing.ts'
import { type MailExchange, openMailExchange } from './mail-exchange.testing.ts'
import { draftMailbox } from './mailbox.testing.ts'
import { READER_TIMES, startMailboxReader } from './mailbox-reader.ts'

// In `npm run test:long`. `npm test` has the same against the small IMAP server.
const isLong = rounds(0, 1) === 1
const version = isLong ? await findDovecot() : undefined
const name = isLong
  ? `Dovecot ${version ?? '2.3 is not installed (apt-get install dovecot-imapd): skipped'}`
  : 'Dovecot, in npm run test:long'

const MAILS = 300
const ON_DESK = 2_000
// A busy machine takes some emails a second.
const PATIENCE = 300_000

describe.skipIf(version === undefined)(name, () => {
  let server: TestServer
  let dovecot: Dovecot
  let exchange: MailExchange
  let reader: ReturnType<typeof startMailboxReader>

  beforeAll(async () => {
    dovecot = await openDovecot()
    exchange = await openMailExchange(dovecot)
    server = await startTestServer({ now: new Date().toISOString(), env: { LIMBER_EMBEDDED: '0' } })
    const smtp = { smtp_host: '127.0.0.1', smtp_port: exchange.port, smtp_security: 'none' } as const
    const body = draftMailbox(dovecot, smtp)
    expect((await server.asSteppedUp('notifications.send').send(createMailbox, { body })).status).toBe(200)
    reader = startMailboxReader(server.running.services, { ...READER_TIMES, look: 200, pause: 200 })
    await eventually(async () => (await state()) === 'connected')
  })
  afterAll(async () => {
    await reader?.close()
    await server?.stop()
    await exchange?.close()
    await dovecot?.close()
  })

  const state = async () => (await server.as('notifications.send').send(listMailboxes)).body[0]?.state
  const contents = async () =>
    (await server.db.selectFrom('ticket_messages').select('content').orderBy('content').execute()).map(
      ({ content }) => content,
    )
  const untilCount = (count: number) =>
    eventually(async () => {
      const found = await contents()
      return found.length >= count ? found : undefined
    }, PATIENCE)

  it('announces an email that is in a ticket within two seconds, and its answer leaves by SMTP', async () => {
    const startedAt = performance.now()
    await exchange.send({
      from: 'Ana <ana@example.com>',
      subject: 'Too short',
      messageId: '<question@example.com>',
      text: 'It ended early.',
      attachments: [{ filename: 'photo.png', content: PNG }],
    })
    await untilCount(1)
    expect(performance.now() - startedAt).toBeLessThan(ON_DESK)
    const ticket = await server.db.selectFrom('tickets').select(['id']).executeTakeFirstOrThrow()
    const agent = server.as('tickets.handle')
    const at = { params: { id: String(ticket.id) } }
    const { body } = await agent.send(readTicket, at)
    expect(body.messages[0]?.files).toMatchObject([{ filename: 'photo.png', type: 'image/png' }])
    const answer = { message: 'We are sorry.', workerId: (await agent.worker()).id }
    expect((await agent.send(respondToTicket, { ...at, body: answer })).status).toBe(200)
    await eventually(async () => exchange.letters.length === 1)
    expect(exchange.letters[0]?.raw).toMatch(/^In-Reply-To: <question@example\.com>/m)
    const ours = /^Message-ID: (<.+>)/im.exec(exchange.letters[0]?.raw ?? '')?.[1] ?? ''
    await exchange.send({ from: 'ana@example.com', subject: 'another', inReplyTo: ours, text: 'Thank you.' })
    await untilCount(3)
    expect(await server.db.selectFrom('tickets').select('id').execute()).toHaveLength(1)
  })

  it(
    'brings every email once through restarts and new numbers',
    async () => {
      const before = (await contents()).length
      const sent: string[] = []
      for (let n = 0; n < MAILS; n += 1) {
        const content = `mail ${String(n).padStart(4, '0')}`
        sent.push(content)
        const text = { type: 'text/plain', content }
        await dovecot.deliver(partsLetter([text, named('image/png', 'a.png', PNG)], { subject: content }))
        if (n % 100 === 50) await dovecot.restart()
        if (n % 100 === 99) await dovecot.renumber()
      }
      await untilCount(before + MAILS)
      await dovecot.renumber()
      await dovecot.deliver(partsLetter([{ type: 'text/plain', content: 'the last one' }]))
      const found = await untilCount(before + MAILS + 1)
      expect(found.filter((content) => content.startsWith('mail '))).toEqual(sent)
      expect(found).toContain('the last one')
    },
    PATIENCE,
  )
})
