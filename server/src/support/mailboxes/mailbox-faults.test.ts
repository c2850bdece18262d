import { createMailbox, listMailboxes } from '@limber/contract/support/mailboxes/mailbox.ts'
import { listTickets, respondToTicket } from '@limber/contract/support/tickets/ticket.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type MailServer, openMailServer } from '#platform/testing/testing.mail.ts'
import { startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { type ImapServer, openImapServer } from './imap.testing.ts'
import { draftMailbox, hastyTimes, letter } from './mailbox.testing.ts'
import { startMailboxReader } from './mailbox-reader.ts'

let server: TestServer
let imap: ImapServer
let smtp: MailServer
let reader: ReturnType<typeof startMailboxReader> | undefined
let onFetch: (uid: number) => void

beforeEach(async () => {
  smtp = await openMailServer(0, { user: 'help@example.com', password: 'send-it' })
  server = await startTestServer({ env: { LIMBER_EMBEDDED: '0' } })
  onFetch = () => {}
  imap = await openImapServer({ onFetch: (uid) => onFetch(uid) })
})
afterEach(async () => {
  await reader?.close()
  await server.stop()
  await imap.close()
  await smtp.close()
})

const agent = () => server.as('tickets.handle')
const add = async (more = {}) => {
  const own = { smtp_host: '127.0.0.1', smtp_port: smtp.port, smtp_security: 'none', smtp_username: 'help@example.com' }
  const body = draftMailbox(imap, { ...own, smtp_secret: 'send-it', ...more } as Parameters<typeof draftMailbox>[1])
  expect((await server.asSteppedUp('notifications.send').send(createMailbox, { body })).status).toBe(200)
}
const read = (times = hastyTimes) => {
  reader = startMailboxReader(server.running.services, times)
}
const deliver = (raw: string) => imap.deliver(raw, server.clock.now())
const tickets = async () => (await agent().send(listTickets)).body
const until = (check: () => Promise<unknown>) => vi.waitFor(check, { timeout: 50_000, interval: 50 })
const messages = async () => (await tickets()).flatMap((ticket) => ticket.messages.map(({ content }) => content)).sort()
const state = async () => (await server.as('notifications.send').send(listMailboxes)).body[0]
const untilConnected = () => until(async () => expect((await state())?.state).toBe('connected'))
const runCourier = async () => {
  const due = { next_try_at: server.clock.now() }
  await server.db.updateTable('outbox').set(due).where('state', '=', 'waiting').execute()
  await server.running.courier.run()
}
const answer = async (message: string) => {
  const [ticket] = await tickets()
  const caller = agent()
  const body = { message, workerId: (await caller.worker()).id }
  expect((await caller.send(respondToTicket, { params: { id: String(ticket?.id) }, body })).status).toBe(200)
}

describe('an IMAP server with faults', () => {
  it('that falls silent in the middle of an email is left, and the email is read again', async () => {
    await add()
    for (const text of ['a', 'b']) deliver(letter({ text }))
    imap.behave('hang')
    read({ ...hastyTimes, socket: 300 })
    await until(async () => expect(await messages()).toEqual(['a', 'b']))
    expect(imap.signIns()).toBeGreaterThan(2)
  })

  it('that returns an email without its content once loses nothing', async () => {
    await add()
    for (const text of ['a', 'b']) deliver(letter({ text }))
    imap.behave('empty')
    read()
    await until(async () => expect(await messages()).toEqual(['a', 'b']))
  })

  it('that deletes an email while others are read goes on with them', async () => {
    await add()
    for (const text of ['a', 'b', 'c']) deliver(letter({ text }))
    onFetch = (uid) => uid === 1 && imap.expunge(2)
    read()
    await until(async () => expect(await messages()).toEqual(['a', 'c']))
    onFetch = () => {}
    deliver(letter({ text: 'd' }))
    await until(async () => expect(await messages()).toEqual(['a', 'c', 'd']))
  })

  it('that ends the connection after an email loses none of the others', async () => {
    await add()
    for (const text of ['a', 'b', 'c']) deliver(letter({ text }))
    const ended = new Set<number>()
    onFetch = (uid) => {
      if (!ended.has(uid)) setImmediate(() => imap.cutAll())
      ended.add(uid)
    }
    read()
    await until(async () => expect(await messages()).toEqual(['a', 'b', 'c']))
  })

  it('that numbers its emails anew while they are read brings none twice and loses none', async () => {
    await add()
    read()
    await untilConnected()
    const texts = Array.from({ length: 12 }, (_, place) => `mail ${String(place).padStart(2, '0')}`)
    let isRenumbered = false
    onFetch = (uid) => {
      if (uid !== 5 || isRenumbered) return
      isRenumbered = true
      setImmediate(() => imap.renumber())
    }
    for (const text of texts) deliver(letter({ text, ...(text.endsWith('7') && { id: null }) }))
    await until(async () => expect(await messages()).toEqual(texts))
    deliver(letter({ text: 'zuletzt' }))
    await until(async () => expect(await messages()).toEqual([...texts, 'zuletzt']))
    expect(isRenumbered).toBe(true)
  })
})

describe('a mailbox with its own mail server', () => {
  const ids = () => smtp.letters.map(({ raw }) => /^Message-ID: (<.+>)/im.exec(raw)?.[1])
  const start = async () => {
    await add()
    read()
    deliver(letter({ text: 'Hello' }))
    await until(async () => expect(await tickets()).toHaveLength(1))
  }

  it('that accepts a reply and dies gets it again with the same Message-ID, and only then it counts as sent', async () => {
    await start()
    smtp.behave('die')
    await answer('It is on its way.')
    await until(async () => {
      await runCourier()
      expect(smtp.letters.length).toBeGreaterThan(1)
    })
    const waiting = await server.db.selectFrom('outbox').select('state').where('channel', '=', 'mail').execute()
    expect(waiting).toEqual([{ state: 'waiting' }])
    smtp.behave('well')
    const before = smtp.letters.length
    await until(async () => {
      await runCourier()
      expect(smtp.letters.length).toBe(before + 1)
    })
    await runCourier()
    expect(smtp.letters).toHaveLength(before + 1)
    // Who gets it twice sees that it is the same email.
    expect(new Set(ids()).size).toBe(1)
    expect(ids()[0]).toBeDefined()
  })

  it('that drops the connection or refuses for a while gets each reply once', async () => {
    await start()
    smtp.behave('cut')
    await answer('first')
    await runCourier()
    smtp.behave('later')
    await answer('second')
    await runCourier()
    expect(smtp.letters).toEqual([])
    smtp.behave('well')
    await until(async () => {
      await runCourier()
      expect(smtp.letters).toHaveLength(2)
    })
    await runCourier()
    expect(new Set(ids()).size).toBe(2)
  })
})

/** Answers every email at once, and says nothing about being a program unless it is polite. */
function startResponder({ isPolite }: { isPolite: boolean }) {
  let answered = 0
  const timer = setInterval(() => {
    for (; answered < smtp.letters.length; answered += 1) {
      const headers = isPolite ? { 'Auto-Submitted': 'auto-replied' } : {}
      const id = /^Message-ID: (<.+>)/im.exec(smtp.letters[answered]?.raw ?? '')?.[1] ?? ''
      const refers = answered % 2 === 0 ? { 'In-Reply-To': id } : {}
      deliver(letter({ from: 'robot@example.com', subject: 'I am away', headers: { ...headers, ...refers } }))
    }
  }, 20)
  return { answered: () => answered, stop: () => clearInterval(timer) }
}

describe('two programs that answer each other', () => {
  it.each([{ isPolite: true }, { isPolite: false }])('end after one mail: %o', async (manners) => {
    await add({ confirms: true })
    read()
    const responder = startResponder(manners)
    try {
      deliver(letter({ from: 'robot@example.com', text: 'first' }))
      await until(async () => {
        await runCourier()
        expect(await messages()).toHaveLength(2)
      })
      // A second one would be due by now.
      const again = letter({ from: 'robot@example.com', subject: 'Still away', text: 'third' })
      deliver(again)
      await until(async () => expect(await messages()).toHaveLength(3))
      await runCourier()
      expect(smtp.letters).toHaveLength(1)
      expect(responder.answered()).toBe(1)
    } finally {
      responder.stop()
    }
  })
})
