import { createHmac } from 'node:crypto'
import { SECOND } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { traceHeader } from '#platform/telemetry/trace-context.ts'
import { type FailureKind, failureKindOf, type GraphError, parseWithTextIds, regainMinutes } from './meta.rules.ts'

export type MetaAccount = NonNullable<Config['meta']>

/** A failed request to Meta; `kind` decides about retries. */
export class MetaFailure extends Error {
  readonly kind: FailureKind
  readonly code: number | undefined
  /** Minutes until the rate limit ends, if Meta reports them. */
  readonly regainMinutes: number | undefined

  constructor(
    kind: FailureKind,
    words: string,
    details: { code?: number | undefined; regainMinutes?: number | undefined } = {},
  ) {
    super(words)
    this.kind = kind
    this.code = details.code
    this.regainMinutes = details.regainMinutes
  }
}

const TIMEOUT = 10 * SECOND
// Uploads of images and video parts take longer.
const UPLOAD_TIMEOUT = 40 * SECOND
const MAX_BYTES = 1_000_000

type Parameters = Record<string, string>

/** A small Graph API client: one account, one version, one host, no redirects. */
export interface Graph {
  get(path: string, parameters?: Parameters): Promise<unknown>
  post(path: string, parameters: Parameters): Promise<unknown>
  /** Sends a file with parameters as a multipart form. */
  upload(path: string, parameters: Parameters, file: { field: string; name: string; content: Blob }): Promise<unknown>
}

export function makeGraph({ url, version, accessToken, appSecret }: MetaAccount, timeout = TIMEOUT): Graph {
  // Proves that the sender of the token knows the app secret.
  const proof = createHmac('sha256', appSecret).update(accessToken).digest('hex')

  async function call(address: string, body?: URLSearchParams | FormData, within = timeout): Promise<unknown> {
    const reply = await fetch(`${url}/${version}/${address}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json', ...traceHeader() },
      ...(body && { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(within),
    }).catch((error: unknown) => {
      const isLate = error instanceof Error && error.name === 'TimeoutError'
      throw new MetaFailure('transient', isLate ? 'Meta did not respond in time.' : "Couldn't reach Meta.")
    })
    return read(reply)
  }

  const proven = (parameters: Parameters) => new URLSearchParams({ ...parameters, appsecret_proof: proof })

  return {
    get: (path, parameters = {}) => call(`${path}?${proven(parameters)}`),
    post: (path, parameters) => call(path, proven(parameters)),
    upload(path, parameters, { field, name, content }) {
      const form = new FormData()
      for (const [key, value] of proven(parameters)) form.append(key, value)
      form.append(field, content, name)
      return call(path, form, UPLOAD_TIMEOUT)
    },
  }
}

async function read(reply: Response): Promise<unknown> {
  const text = await readText(reply)
  let json: unknown
  try {
    json = parseWithTextIds(text)
  } catch {
    // An error page of a proxy, or a truncated reply.
    throw new MetaFailure('transient', `Meta returned status ${reply.status} without valid JSON.`)
  }
  const error = (json as { error?: GraphError } | null)?.error
  if (reply.ok && !error) return json
  const kind = failureKindOf(error, reply.status)
  const words = error?.error_user_msg ?? error?.message ?? `Meta returned status ${reply.status}.`
  throw new MetaFailure(kind, `${words}${error?.code === undefined ? '' : ` (${error.code})`}`, {
    code: error?.code,
    regainMinutes: regainMinutes(reply.headers.get('x-business-use-case-usage')),
  })
}

async function readText(reply: Response): Promise<string> {
  try {
    const bytes = await reply.arrayBuffer()
    if (bytes.byteLength > MAX_BYTES) throw new MetaFailure('rejected', 'The reply from Meta is too large.')
    return Buffer.from(bytes).toString('utf8')
  } catch (error) {
    if (error instanceof MetaFailure) throw error
    throw new MetaFailure('transient', 'The connection to Meta was lost during the reply.')
  }
}
