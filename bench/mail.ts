import { randomBytes } from 'node:crypto'
import { get } from 'node:http'
import type pg from 'pg'
import sharp from 'sharp'
import { codeOf } from '../contract/src/access/permissions.ts'
import { formatInteger } from '../contract/src/kit/formats/numbers.ts'
import { named, partsLetter } from '../server/src/support/files/ticket-file.testing.ts'
import { type ImapServer, openImapServer } from '../server/src/support/mailboxes/imap.testing.ts'
import { draftMailbox, letter } from '../server/src/support/mailboxes/mailbox.testing.ts'
import { median } from './measure.ts'
import type { Result } from './result.ts'
import { type Served, serveOurs, signInWorker, withDatabase } from './served.ts'

const PORT = 3807
const MAILS = Number(process.env.BENCH_MAILS ?? 1_000)
const SECONDS = 60
const OTHERS_MS = 100
const SINGLE = 20
const OPEN_DESK_MS = 2_000

const sleep = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))
const p99Of = (times: readonly number[]) => times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.99) - 1] ?? 0

async function until<T>(check: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await check()
    if (found !== undefined) return found
    await sleep(50)
  }
}

/** A photo as phones send it, as large as wanted. */
async function photo(bytes: number): Promise<Buffer> {
  const pixels = Math.ceil(Math.sqrt(bytes / 0.45))
  const noise = { width: pixels, height: pixels, channels: 3 } as const
  return sharp(randomBytes(pixels * pixels * 3), { raw: noise })
    .jpeg({ quality: 50 })
    .toBuffer()
}

/** An email of 100 KB: a text, its HTML, and a photo or a PDF file. */
async function makeMails(): Promise<string[]> {
  const picture = await photo(75_000)
  const words = 'The session on Saturday ended twenty minutes early, and I was charged twice. '.repeat(20)
  const html = `<div style="font-family:Arial">${`<p>${words}</p>`.repeat(2)}<blockquote>${words}</blockquote></div>`
  const file = (place: number) =>
    place % 2 === 0
      ? named('image/jpeg', 'photo.jpg', picture)
      : named('application/pdf', 'receipt.pdf', Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(picture.length)]))
  return Array.from({ length: MAILS }, (_, place) =>
    partsLetter(
      [
        { type: 'text/plain; charset=utf-8', content: words },
        { type: 'text/html; charset=utf-8', content: html },
        file(place),
      ],
      { subject: `Session ${place}` },
    ).replace('ana@example.com', `ana${place}@example.com`),
  )
}

/** Makes calls one after another while something runs. Gives their times. */
async function callMeanwhile(served: Served, run: () => Promise<unknown>): Promise<number[]> {
  const paths = ['/api/support/tickets', '/api/auth/check', '/api/support/mailboxes', '/api/support/users?limit=20']
  const times: number[] = []
  let isRunning = true
  const ended = run().finally(() => {
    isRunning = false
  })
  for (let n = 0; isRunning; n += 1) {
    const path = paths[n % paths.length] ?? '/'
    const { status, ms } = await served.call(path)
    if (status !== 200) throw new Error(`${path} returned ${status}`)
    times.push(ms)
    await sleep(10)
  }
  await ended
  return times
}

async function measureMany(served: Served, data: pg.Client, imap: ImapServer): Promise<Result[]> {
  const mails = await makeMails()
  const size = Buffer.byteLength(mails[0] ?? '')
  const startedAt = performance.now()
  const times = await callMeanwhile(served, async () => {
    for (const mail of mails) imap.deliver(mail, new Date())
    await until(async () => {
      const { rows } = await data.query<{ count: number }>('select count(*)::int as count from mailbox_mails')
      return rows[0]?.count === MAILS ? true : undefined
    })
  })
  const seconds = (performance.now() - startedAt) / 1_000
  const p99 = p99Of(times)
  return [
    {
      name: `${formatInteger(MAILS)} emails of ${Math.round(size / 1_000)} KB taken`,
      ratio: seconds / SECONDS,
      budget: 1,
      figure: `${seconds.toFixed(1)} s of ${SECONDS} s`,
    },
    {
      name: 'other calls meanwhile, p99',
      ratio: p99 / OTHERS_MS,
      budget: 1,
      figure: `${p99.toFixed(1)} ms of ${OTHERS_MS} ms (median ${median(times).toFixed(1)} ms, ${formatInteger(times.length)} calls)`,
    },
  ]
}

/** The live stream of an open desk. `changed` resolves with the next change of a ticket. */
async function openDesk({ origin, headers }: Served) {
  let told = () => {}
  const stream = await new Promise<ReturnType<typeof get>>((resolve, reject) => {
    const request = get(`${origin}/api/live`, { headers }, (reply) => {
      if (reply.statusCode !== 200) return reject(new Error(`The live stream returned ${reply.statusCode}`))
      reply.setEncoding('utf8')
      reply.on('data', (text: string) => {
        resolve(request)
        if (text.includes('"ticket":')) told()
      })
      reply.on('error', () => {})
    })
    request.on('error', reject)
  })
  return {
    changed: () =>
      new Promise<void>((done) => {
        told = done
      }),
    close: () => stream.destroy(),
  }
}

/** From the arrival at the mail server until an open desk was told and has the ticket. */
async function measureSingle(served: Served, imap: ImapServer): Promise<Result> {
  const desk = await openDesk(served)
  const times: number[] = []
  for (let n = 0; n < SINGLE; n += 1) {
    await sleep(300 + 100 * (n % 7))
    const subject = `Single ${n}`
    const changed = desk.changed()
    const startedAt = performance.now()
    imap.deliver(letter({ from: `single${n}@example.com`, subject }), new Date())
    await changed
    await until(async () => {
      const { json } = await served.call('/api/support/tickets')
      return (json as unknown as { subject: string }[]).some((ticket) => ticket.subject === subject) || undefined
    })
    times.push(performance.now() - startedAt)
  }
  desk.close()
  const worst = Math.max(...times)
  return {
    name: `an email on an open desk, worst of ${SINGLE}`,
    ratio: worst / OPEN_DESK_MS,
    budget: 1,
    figure: `${worst.toFixed(0)} ms of ${formatInteger(OPEN_DESK_MS)} ms (median ${median(times).toFixed(0)} ms)`,
  }
}

/** Emails through a mailbox: many at once, and single ones by IDLE. */
export const benchMail = (): Promise<Result[]> =>
  withDatabase('mail', async (url, data) => {
    const permissions = (['tickets.handle', 'notifications.send', 'support.tab', 'users.directory'] as const).map(
      codeOf,
    )
    const token = await signInWorker(data, `{${permissions.join(',')}}`)
    const imap = await openImapServer()
    const served = await serveOurs(PORT, url, token)
    try {
      const made = await served.call('/api/support/mailboxes', draftMailbox(imap))
      if (made.status !== 200) throw new Error(`The mailbox was refused: ${JSON.stringify(made.json)}`)
      await until(async () => {
        const { json } = await served.call('/api/support/mailboxes')
        return (json as unknown as { state: string }[])[0]?.state === 'connected' || undefined
      })
      return [...(await measureMany(served, data, imap)), await measureSingle(served, imap)]
    } finally {
      served.child.kill('SIGKILL')
      await imap.close()
    }
  })
