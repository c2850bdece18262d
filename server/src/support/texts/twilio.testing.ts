import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How the service behaves; `cut` accepts the message and then drops the connection, `closed` drops it at once. */
export type Mood = 'well' | 'busy' | 'broken' | 'cut' | 'slow' | 'bad_number' | 'closed'

interface StoredMessage {
  sid: string
  to: string
  from: string
  body: string
  direction: string
  status: string
  statusUrl: string
  error_code: number | null
  created: Date
}

const sid = () => `SM${randomBytes(16).toString('hex')}`

/** A server that speaks Twilio's REST protocol. */
export async function startFakeTwilio() {
  const account = `AC${'0123456789abcdef'.repeat(2)}`
  const authToken = 'auth-token-0123456789abcdef'
  const number = '+19515550100'
  const messages: StoredMessage[] = []
  const pageSizes: number[] = []
  let mood: Mood = 'well'
  let posts = 0
  let now = () => new Date()

  const show = ({ sid: id, created, statusUrl: _, ...rest }: StoredMessage) => ({
    sid: id,
    account_sid: account,
    num_media: '0',
    num_segments: '1',
    date_created: created.toUTCString(),
    date_sent: rest.status === 'queued' ? null : created.toUTCString(),
    date_updated: created.toUTCString(),
    ...rest,
  })

  const reply = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const fail = (response: ServerResponse, status: number, code: number, message: string) =>
    reply(response, status, { status, code, message, more_info: '' })

  async function read(request: IncomingMessage): Promise<URLSearchParams> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    return new URLSearchParams(Buffer.concat(chunks).toString())
  }

  function list(url: URL, response: ServerResponse) {
    const size = Number(url.searchParams.get('PageSize') ?? 50)
    pageSizes.push(size)
    const page = Number(url.searchParams.get('Page') ?? 0)
    const to = url.searchParams.get('To')
    const from = url.searchParams.get('From')
    const found = messages
      .filter((message) => (!to || message.to === to) && (!from || message.from === from))
      .toSorted((a, b) => b.created.getTime() - a.created.getTime())
    const next = new URL(url)
    next.searchParams.set('Page', String(page + 1))
    next.searchParams.set('PageToken', `PA${page + 1}`)
    const hasNext = found.length > (page + 1) * size
    reply(response, 200, {
      messages: found.slice(page * size, (page + 1) * size).map(show),
      page,
      page_size: size,
      uri: url.pathname,
      next_page_uri: hasNext ? `${next.pathname}${next.search}` : null,
    })
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const basic = Buffer.from(`${account}:${authToken}`).toString('base64')
    if (request.headers.authorization !== `Basic ${basic}`) return fail(response, 401, 20003, 'Authenticate')
    if (mood === 'closed') return response.destroy()
    if (url.pathname.endsWith(`/Accounts/${account}.json`))
      return reply(response, 200, { sid: account, friendly_name: 'Limber', status: 'active' })
    if (request.method === 'GET') return list(url, response)
    posts++
    if (mood === 'busy') return fail(response, 429, 20429, 'Too Many Requests')
    if (mood === 'broken') return fail(response, 503, 20503, 'Service Unavailable')
    const form = await read(request)
    if (mood === 'bad_number') return fail(response, 400, 21211, `The 'To' number ${form.get('To')} is not valid.`)
    const accepted: StoredMessage = {
      sid: sid(),
      to: form.get('To') ?? '',
      from: form.get('From') ?? '',
      body: form.get('Body') ?? '',
      statusUrl: form.get('StatusCallback') ?? '',
      direction: 'outbound-api',
      status: 'queued',
      error_code: null,
      created: now(),
    }
    messages.push(accepted)
    if (mood === 'slow') return
    if (mood === 'cut') return response.destroy()
    reply(response, 201, show(accepted))
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    account,
    authToken,
    number,
    messages,
    pageSizes,
    env: {
      TWILIO_ACCOUNT_SID: account,
      TWILIO_AUTH_TOKEN: authToken,
      TWILIO_NUMBER: number,
      TWILIO_URL: `http://127.0.0.1:${port}`,
    },
    feel(next: Mood) {
      mood = next
    },
    posts: () => posts,
    /** Uses the clock of the server under test. */
    follow(clock: { now(): Date }) {
      now = () => clock.now()
    },
    /** An incoming message without a webhook. */
    receive(from: string, body: string, created: Date): string {
      const id = sid()
      messages.push({
        sid: id,
        from,
        to: number,
        body,
        direction: 'inbound',
        status: 'received',
        statusUrl: '',
        error_code: null,
        created,
      })
      return id
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
export type FakeTwilio = Awaited<ReturnType<typeof startFakeTwilio>>
