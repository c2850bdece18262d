import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const ACCOUNT = `AC${'0123456789abcdef'.repeat(2)}`
const TOKEN = 'journey-auth-token-0123456789'
const NUMBER = '+19515550100'

export interface Twilio {
  /** Environment variables that connect the product to it. */
  settings: NodeJS.ProcessEnv
  /** The accepted messages: recipient and text. */
  taken: { to: string; body: string }[]
  /** Accepts messages but does not respond yet. */
  hold(): void
  /** Reports the accepted messages as delivered, and responds. */
  release(): Promise<void>
  /** An incoming message: posted to the product's webhook with a valid signature. */
  write(url: string, from: string, body: string): Promise<number>
  close(): Promise<void>
}

const newSid = () => `SM${randomBytes(16).toString('hex')}`

/** Posts a form to the product. */
async function announce(url: string, fields: Record<string, string>): Promise<number> {
  const signed = Object.keys(fields)
    .toSorted()
    .reduce((text, name) => text + name + fields[name], url)
  const signature = createHmac('sha1', TOKEN).update(signed).digest('base64')
  const headers = { 'x-twilio-signature': signature }
  const reply = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields) })
  return reply.status
}

/** A fake text message service for journeys that speaks Twilio's protocol and delivers everything. */
export async function startFakeTwilio(): Promise<Twilio> {
  const taken: Twilio['taken'] = []
  const messages: Record<string, unknown>[] = []
  let isHolding = false
  let held: (() => Promise<void>)[] = []

  const reply = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  async function take(form: URLSearchParams, response: ServerResponse) {
    const [sid, to, body] = [newSid(), form.get('To') ?? '', form.get('Body') ?? '']
    const now = new Date().toUTCString()
    const dated = { date_created: now, date_sent: now, date_updated: now }
    const message = { sid, to, body, from: NUMBER, status: 'sent', direction: 'outbound-api', num_media: '0', ...dated }
    taken.push({ to, body })
    messages.push(message)
    const finish = async () => {
      const report = { MessageSid: sid, MessageStatus: 'delivered', To: to, From: NUMBER }
      await announce(form.get('StatusCallback') ?? '', report)
      reply(response, 201, message)
    }
    if (isHolding) held.push(finish)
    else await finish()
  }

  const server = createServer((request, response) => {
    const basic = `Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')}`
    if (request.headers.authorization !== basic)
      return void reply(response, 401, { code: 20003, message: 'Authenticate' })
    if (request.method === 'GET') {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      const [to, from] = [searchParams.get('To'), searchParams.get('From')]
      // Only the scheduled sync lists all messages, and the journey has nothing left to sync.
      const found = messages.filter((message) => message.to === to && message.from === from)
      const account = { sid: ACCOUNT, friendly_name: 'Limber', status: 'active' }
      const page = { messages: found, page: 0, page_size: 50, uri: pathname, next_page_uri: null }
      return void reply(response, 200, pathname.endsWith('/Messages.json') ? page : account)
    }
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => void take(new URLSearchParams(Buffer.concat(parts).toString()), response))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    settings: {
      TWILIO_ACCOUNT_SID: ACCOUNT,
      TWILIO_AUTH_TOKEN: TOKEN,
      TWILIO_NUMBER: NUMBER,
      TWILIO_URL: `http://127.0.0.1:${port}`,
    },
    taken,
    hold() {
      isHolding = true
    },
    async release() {
      isHolding = false
      const waiting = held
      held = []
      for (const finish of waiting) await finish()
    },
    write: (url, from, body) =>
      announce(`${url}/api/hooks/twilio/message`, {
        MessageSid: newSid(),
        From: from,
        To: NUMBER,
        Body: body,
        NumMedia: '0',
      }),
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections()
        server.close(() => closed())
      }),
  }
}
