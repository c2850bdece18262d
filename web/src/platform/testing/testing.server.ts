import type { BodyOf, CallDefinition, ParamsOf, QueryOf, ReplyInputOf } from '@limber/contract/kit/call.ts'
import { vi } from 'vitest'

interface FakeRequest<C extends CallDefinition = CallDefinition> {
  params: ParamsOf<C>
  query: QueryOf<C>
  body: BodyOf<C>
  headers: Headers
  /** The multipart body. */
  form: FormData | undefined
}

type Reply = { status: number; body: unknown; headers?: Record<string, string> }
type Handler = (request: FakeRequest) => Promise<Reply> | Reply
type Route = { call: CallDefinition; pattern: RegExp; names: string[]; handle: Handler }

/** A refusal in the server's format. */
export class Refusal {
  readonly reply: Reply
  constructor(status: number, code: string, error: string, more: object = {}) {
    this.reply = { status, body: { error, message: error, code, ...more } }
  }
}

/** A fake server for the contract: requests and replies are both validated against it. */
export class FakeServer {
  readonly requests: { call: CallDefinition; headers: Headers; body: unknown }[] = []
  /** The records that the next changes are about, in the server's words: `ticket/3`. */
  changed: string[] = []
  /** While true, every request fails as if the network were down. */
  isDown = false
  private routes: Route[] = []

  /** Answers a call with a reply, a refusal, or a function that returns either. The latest answer wins. */
  answer<C extends CallDefinition>(
    call: C,
    answer:
      | ReplyInputOf<C>
      | Refusal
      | ((request: FakeRequest<C>) => ReplyInputOf<C> | Refusal | Promise<ReplyInputOf<C> | Refusal>),
  ): this {
    const names = [...call.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
    const pattern = new RegExp(`^${call.path.replace(/:\w+/g, '([^/]+)')}$`)
    const handle: Handler = async (request) => {
      const given: unknown =
        typeof answer === 'function'
          ? await (answer as (request: FakeRequest<C>) => unknown)(request as FakeRequest<C>)
          : answer
      return given instanceof Refusal ? given.reply : { status: 200, body: call.reply.parse(given) }
    }
    this.routes = [{ call, pattern, names, handle }, ...this.routes]
    return this
  }

  /** How often the call was sent. */
  callCount = (call: CallDefinition) => this.requests.filter((one) => one.call === call).length

  private async take(method: string, address: string, headers: Headers, body: unknown): Promise<Reply> {
    if (this.isDown) throw new TypeError('fetch failed')
    const url = new URL(address, location.origin)
    // As on the server, a literal path wins over one with parameters.
    const inOrder = this.routes.toSorted((a, b) => Math.min(a.names.length, 1) - Math.min(b.names.length, 1))
    for (const { call, pattern, names, handle } of inOrder) {
      const match = pattern.exec(url.pathname)
      if (call.method !== method || !match) continue
      const params = Object.fromEntries(names.map((name, place) => [name, decodeURIComponent(match[place + 1] ?? '')]))
      const form = body instanceof FormData ? body : undefined
      const json: unknown = typeof body === 'string' ? JSON.parse(body) : undefined
      this.requests.push({ call, headers, body: form ?? json })
      return handle({
        params: call.params?.parse(params),
        query: call.query?.parse(Object.fromEntries(url.searchParams)),
        body: form ? undefined : call.body?.parse(json),
        headers,
        form,
      } as FakeRequest)
    }
    throw new Error(`The test does not answer ${method} ${url.pathname}`)
  }

  /** Replaces fetch and XMLHttpRequest in this test. */
  install(): void {
    vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
      init.signal?.throwIfAborted()
      const taken = this.take(init.method ?? 'GET', address, new Headers(init.headers), init.body)
      const id = `r${this.requests.length}`
      const reply = await taken
      init.signal?.throwIfAborted()
      return new Response(JSON.stringify(reply.body), {
        status: reply.status,
        // A message about a failure would end with its id.
        headers: {
          ...(reply.status < 400 && { 'x-request-id': id, 'x-changed': this.changed.join(' ') }),
          ...reply.headers,
        },
      })
    })
    const take = this.take.bind(this)
    vi.stubGlobal(
      'XMLHttpRequest',
      class {
        status = 0
        responseText = ''
        upload: { onprogress: ((event: object) => void) | null } = { onprogress: null }
        onload: (() => void) | null = null
        onerror: (() => void) | null = null
        onabort: (() => void) | null = null
        private headers = new Headers()
        private target: [method: string, address: string] = ['', '']
        private isAborted = false

        open(method: string, address: string) {
          this.target = [method, address]
        }
        setRequestHeader(name: string, value: string) {
          this.headers.set(name, value)
        }
        getResponseHeader = () => null
        abort() {
          this.isAborted = true
          this.onabort?.()
        }
        async send(body: unknown) {
          this.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 2 })
          try {
            const reply = await take(...this.target, this.headers, body)
            if (this.isAborted) return
            this.status = reply.status
            this.responseText = JSON.stringify(reply.body)
            this.onload?.()
          } catch {
            if (!this.isAborted) this.onerror?.()
          }
        }
      },
    )
  }
}
