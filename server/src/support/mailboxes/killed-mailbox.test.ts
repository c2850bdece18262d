// @module-tag slow
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createMailbox } from '@limber/contract/support/mailboxes/mailbox.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY } from '#platform/clock.ts'
import { bundledProgram } from '#platform/testing/testing.programs.ts'
import { rounds } from '#platform/testing/testing.rounds.ts'
import { eventually, startTestServer, type TestServer } from '#platform/testing/testing.ts'
import { sweepTicketFiles } from '../files/files.jobs.ts'
import { fileKey } from '../files/store-file.ts'
import { named, partsLetter, pdf } from '../files/ticket-file.testing.ts'
import { type ImapServer, openImapServer } from './imap.testing.ts'
import { draftMailbox } from './mailbox.testing.ts'

const program = new URL('./killed-mailbox.testing.ts', import.meta.url)
const ROUNDS = rounds(2, 10)
const MAILS = 30
let server: TestServer
let imap: ImapServer
let child: ChildProcess | undefined
/** Kills the reader when this many more emails were asked for. */
let killAfter = Number.POSITIVE_INFINITY

beforeAll(async () => {
  server = await startTestServer({ now: new Date().toISOString() })
  imap = await openImapServer({
    onFetch() {
      killAfter -= 1
      if (killAfter === 0) setTimeout(() => child?.kill('SIGKILL'), Math.random() * 40)
    },
  })
})
afterAll(async () => {
  child?.kill('SIGKILL')
  await server.stop()
  await imap.close()
})

async function startReader(): Promise<ChildProcess> {
  const { config } = server.running.services
  const started = spawn(process.execPath, [await bundledProgram(program)], {
    env: {
      ...process.env,
      DATABASE_URL: config.databaseUrl,
      PUBLIC_URL: config.publicUrl,
      PORT: '0',
      SECRET_KEY: config.secretKey,
      LIMBER_EMBEDDED: '1',
      LIMBER_STORAGE: config.storagePath,
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(started.stdout, 'data')
  return started
}

const counts = async () => {
  const { db } = server
  const messages = await db.selectFrom('ticket_messages').select('content').orderBy('content').execute()
  const files = await db.selectFrom('ticket_files').select('name').execute()
  return { contents: messages.map(({ content }) => content), names: files.map(({ name }) => name ?? '').sort() }
}

it('takes every email once, with its file, although the reader is killed again and again', async () => {
  const body = draftMailbox(imap)
  expect((await server.asSteppedUp('notifications.send').send(createMailbox, { body })).status).toBe(200)
  const sent: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let n = 0; n < MAILS; n += 1) {
      const content = `round ${String(round).padStart(2, '0')} mail ${String(n).padStart(2, '0')}`
      sent.push(content)
      const text = { type: 'text/plain', content }
      const raw = partsLetter([text, named('application/pdf', 'a.pdf', pdf(5_000))], { subject: content })
      imap.deliver(n % 10 === 9 ? raw.replace(/^Message-ID: .*\r\n/m, '') : raw, new Date())
    }
    killAfter = 2 + Math.floor(Math.random() * (MAILS - 5))
    child = await startReader()
    await once(child, 'exit')
    // The lease of the killed process runs out.
    await server.db
      .updateTable('mailboxes')
      .set({ beat_at: new Date(0) })
      .execute()
    if (round % 2 === 1) imap.renumber()
  }
  killAfter = Number.POSITIVE_INFINITY
  child = await startReader()
  const done = await eventually(async () => {
    const found = await counts()
    return found.contents.length >= sent.length ? found : undefined
  }, 60_000)
  // A look at what came before must bring nothing again.
  imap.renumber()
  imap.deliver(partsLetter([{ type: 'text/plain', content: 'the last one' }]), new Date())
  const last = await eventually(async () => {
    const found = await counts()
    return found.contents.includes('the last one') ? found : undefined
  }, 60_000)
  child.kill('SIGKILL')
  expect(last.contents).toEqual([...sent, 'the last one'])
  expect(done.names).toHaveLength(sent.length)
  expect(new Set(last.names).size).toBe(sent.length)
  // A kill between a file and its record leaves a file, which the nightly sweep deletes.
  server.clock.advance(2 * DAY)
  await sweepTicketFiles(server.running.services)
  const stored: string[] = []
  for await (const { key } of server.running.services.storage.list(fileKey(''))) stored.push(key)
  expect(stored.sort()).toEqual(last.names.map(fileKey))
}, 600_000)
