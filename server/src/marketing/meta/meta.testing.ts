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

/** The fault of the next request: an error of Meta, a broken reply, or no reply. */
export type Fault =
  | { status: number; error: { code: number; message: string; is_transient?: boolean }; regainMinutes?: number }
  | 'not JSON'
  | 'hang up'
  | 'redirect'

export interface TestGraph {
  env: NodeJS.ProcessEnv
  /** The settings for campaigns, in addition to those for leads. */
  adEnv: NodeJS.ProcessEnv
  /** The requested paths, without the query. */
  asked: string[]
  leads: Map<string, { fields: FormField[]; createdTime: string; campaignId?: string }>
  /** The page token that the account can fetch; undefined if it has no role on the page. */
  page: { token: string | undefined }
  /** The ads part of the fake Graph API. */
  ads: TestAds
  /** Each fault applies to one request, in order. */
  faults: Fault[]
  close(): Promise<void>
}

const proofOf = (token: string) => createHmac('sha256', APP_SECRET).update(token).digest('hex')
/** Paths of the page need the page token; all others must not use it. */
const isOfPage = (path: string) => path.startsWith(`${AD_ENV.META_PAGE_ID}/`)

/** The parameters from the URL or the body. */
async function readForm(request: IncomingMessage, url: URL): Promise<URLSearchParams | FormData> {
  if (request.method !== 'POST') return url.searchParams
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const headers = { 'content-type': request.headers['content-type'] ?? '' }
  return new Response(new Uint8Array(Buffer.concat(chunks)), { headers }).formData()
}

/** A local fake Graph API with real paths, credentials, formats and errors. */
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
    // No reply: the client must time out.
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

/** The body of Meta's lead webhook, with ids as numbers, which Meta may send. */
export const announce = (...leadgenIds: string[]) =>
  `{"object":"page","entry":[{"id":"153125381133","time":1794848400,"changes":[${leadgenIds
    .map(
      (id) =>
        `{"field":"leadgen","value":{"leadgen_id":${id},"page_id":153125381133,"form_id":"2312312312","ad_id":0,"created_time":1794848400}}`,
    )
    .join(',')}]}]}`
