import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AD_ENV, makeTestAds, type TestAds } from './ads.testing.ts'

export const APP_SECRET = 'app-secret-0123456789'
export const VERIFY_TOKEN = 'verify-token-0123456789'
const ACCESS_TOKEN = 'access-token-0123456789'

export interface FormField {
  name: string
  values: string[]
}

/** How the next request fares: a failure as Meta words it, a broken answer, or no answer at all. */
export type Fault =
  | { status: number; error: { code: number; message: string; is_transient?: boolean }; regainMinutes?: number }
  | 'not JSON'
  | 'hang up'
  | 'redirect'

export interface TestGraph {
  env: NodeJS.ProcessEnv
  /** The settings with which campaigns go there, beside those of leads. */
  adEnv: NodeJS.ProcessEnv
  /** What was asked, without the query. */
  asked: string[]
  leads: Map<string, { fields: FormField[]; createdTime: string; campaignId?: string }>
  /** The token of the page, as the account may fetch it; nothing when it has no role there. */
  page: { token: string | undefined }
  /** What campaigns became there. */
  ads: TestAds
  /** Each is spent on one request, in turn. */
  faults: Fault[]
  close(): Promise<void>
}

const proofOf = (token: string) => createHmac('sha256', APP_SECRET).update(token).digest('hex')
/** What belongs to the page is done with its own token, and nothing else is. */
const isOfPage = (path: string) => path.startsWith(`${AD_ENV.META_PAGE_ID}/`)

/** What was sent, in the address or in the body. */
async function readForm(request: IncomingMessage, url: URL): Promise<URLSearchParams | FormData> {
  if (request.method !== 'POST') return url.searchParams
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  return new Response(new Uint8Array(Buffer.concat(chunks)), { headers }).formData()
}

/** A Graph API of our own: the real paths, credentials, shapes and failures, on this machine. */
export async function startTestGraph(): Promise<TestGraph> {
  const graph: Omit<TestGraph, 'env' | 'adEnv' | 'close'> = {
    asked: [],
    leads: new Map(),
    faults: [],
    page: { token: 'page-token-0123456789' },
    ads: makeTestAds(),
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://graph')
    graph.asked.push(url.pathname)
    const send = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers })
        .end(JSON.stringify(body))
    const fault = graph.faults.shift()
    if (fault === 'hang up') return request.socket.destroy()
    if (fault === 'not JSON') return response.writeHead(200).end('<html>')
    if (fault === 'redirect') return response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()
    if (fault) {
      const usage = { 1: [{ type: 'leadgen', call_count: 100, estimated_time_to_regain_access: fault.regainMinutes }] }
      const headers = fault.regainMinutes ? { 'x-business-use-case-usage': JSON.stringify(usage) } : {}
      return send(fault.status, { error: { type: 'OAuthException', fbtrace_id: 'A1', ...fault.error } }, headers)
    }
    const form = await readForm(request, url)
    const path = url.pathname.replace('/v26.0/', '')
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? ''
    const isKnown = [ACCESS_TOKEN, graph.page.token].includes(token) && form.get('appsecret_proof') === proofOf(token)
    if (!isKnown)
      return send(401, { error: { code: 190, type: 'OAuthException', message: 'Invalid OAuth access token.' } })
    if (isOfPage(path) !== (token === graph.page.token))
      return send(403, { error: { code: 210, type: 'OAuthException', message: 'Another access token is required.' } })
    if (path === 'me') return send(200, { id: '90071992547409931', name: 'Limber Ads' })
    if (path === AD_ENV.META_PAGE_ID)
      return send(200, { ...(graph.page.token && { access_token: graph.page.token }), id: path })
    const reply = await graph.ads.answer(request.method ?? 'GET', path, form)
    if (reply === 'hang up') return request.socket.destroy()
    // An answer that never comes: whoever asked has to lose patience.
    if (reply === 'silence') return
    if (reply) return send(reply.status, reply.body, reply.headers)
    const id = url.pathname.split('/')[2] ?? ''
    const lead = graph.leads.get(id)
    if (!lead)
      return send(400, {
        error: {
          code: 100,
          error_subcode: 33,
          message: `Unsupported get request. Object with ID '${id}' does not exist`,
        },
      })
    return send(200, {
      id,
      created_time: lead.createdTime,
      ...(lead.campaignId && { campaign_id: lead.campaignId }),
      is_organic: false,
      field_data: lead.fields,
    })
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return Object.assign(graph, {
    env: {
      META_APP_SECRET: APP_SECRET,
      META_VERIFY_TOKEN: VERIFY_TOKEN,
      META_ACCESS_TOKEN: ACCESS_TOKEN,
      META_GRAPH_URL: `http://127.0.0.1:${port}`,
    },
    adEnv: AD_ENV,
    close: () =>
      new Promise<void>((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  })
}

export const sign = (body: string, secret = APP_SECRET) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** What Meta posts for leads; the ids as numbers, as it may. */
export const announce = (...leadgenIds: string[]) =>
  `{"object":"page","entry":[{"id":"153125381133","time":1794848400,"changes":[${leadgenIds
    .map(
      (id) =>
        `{"field":"leadgen","value":{"leadgen_id":${id},"page_id":153125381133,"form_id":"2312312312","ad_id":0,"created_time":1794848400}}`,
    )
    .join(',')}]}]}`
