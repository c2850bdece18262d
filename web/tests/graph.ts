import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const SECRET = 'journey-app-secret-0123456789'

export interface Graph {
  /** Environment variables that connect the product to it. */
  settings: NodeJS.ProcessEnv
  /** Submits an ad form, which can be fetched from now on. */
  fill(leadgenId: string, answers: Record<string, string>): void
  /** Sends the webhook for the form, signed like Meta's. */
  announce(url: string, leadgenId: string): Promise<number>
  close(): Promise<void>
}

/** A fake Graph API that returns submitted forms to requests with the token. */
export async function openGraph(): Promise<Graph> {
  const forms = new Map<string, Record<string, string>>()
  const server = createServer((request, response) => {
    const id = /^\/v26\.0\/(\d+)\?/.exec(request.url ?? '')?.[1] ?? ''
    const form = request.headers.authorization === 'Bearer journey-access-token' ? forms.get(id) : undefined
    const field_data = Object.entries(form ?? {}).map(([name, value]) => ({ name, values: [value] }))
    response.writeHead(form ? 200 : 400, { 'content-type': 'application/json' })
    const error = { code: 100, message: 'Unsupported get request.' }
    response.end(JSON.stringify(form ? { id, created_time: new Date().toISOString(), field_data } : { error }))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    settings: {
      META_APP_SECRET: SECRET,
      META_VERIFY_TOKEN: 'journey-verify-token',
      META_ACCESS_TOKEN: 'journey-access-token',
      META_GRAPH_URL: `http://127.0.0.1:${port}`,
    },
    fill: (leadgenId, answers) => forms.set(leadgenId, answers),
    async announce(url, leadgenId) {
      const value = { leadgen_id: leadgenId, page_id: '153125381133', form_id: '2312312312' }
      const body = JSON.stringify({ object: 'page', entry: [{ id: '1', changes: [{ field: 'leadgen', value }] }] })
      const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`
      const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
      const reply = await fetch(`${url}/api/hooks/meta/leads`, { method: 'POST', headers, body })
      return reply.status
    },
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}
