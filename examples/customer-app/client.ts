import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

export interface BatchReply {
  results: {
    external_id: string
    status: 'created' | 'updated' | 'unchanged' | 'stale' | 'rejected'
    errors?: { path: string; code: string; text: string }[]
  }[]
}

/** What every record of a list has. A tombstone has `deleted_at` and `reason` instead of its fields. */
export interface Listed {
  id: number
  external_ids: Record<string, string>
  updated_at?: string
  deleted_at?: string
  reason?: 'erased' | 'merged' | 'deleted'
  merged_into?: number
  [field: string]: unknown
}

interface Page {
  items: Listed[]
  next_cursor: string | null
}

/** A call that repeating does not help. */
export class RefusedError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, text: string) {
    super(`${status} ${code}: ${text}`)
    this.status = status
    this.code = code
  }
}

const MAX_WAIT = 5000

/** Limber's API. A call waits until Limber is back, so that a restart of Limber loses nothing. */
export class Client {
  readonly url: string
  /** The name of our system in Limber: the key belongs to it, and so do our ids. */
  source = ''
  private readonly key: string

  private constructor(url: string, key: string) {
    this.url = url
    this.key = key
  }

  static async connect(url: string, key: string): Promise<Client> {
    const client = new Client(url, key)
    const { source } = await client.call<{ source: string }>('GET', '/me')
    client.source = source
    return client
  }

  /** Our own id of a record; undefined when it is not ours. */
  ourId({ external_ids }: { external_ids: Record<string, string> }): string | undefined {
    return external_ids[this.source]
  }

  async call<Reply>(method: string, path: string, body?: unknown): Promise<Reply> {
    // The same for every try: Limber carries it out once.
    const headers = {
      authorization: `Bearer ${this.key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(method !== 'GET' && { 'idempotency-key': randomUUID() }),
    }
    for (let wait = 100; ; wait = Math.min(wait * 2, MAX_WAIT)) {
      const sent = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
      const reply = await fetch(`${this.url}/api/v1${path}`, sent).catch(() => undefined)
      // A connection that breaks within the reply counts as no reply.
      const text = await reply?.text().catch(() => undefined)
      if (reply?.ok && text !== undefined) return JSON.parse(text) as Reply
      if (reply && text !== undefined && reply.status < 500 && reply.status !== 429) {
        const { code = '', error = text } = JSON.parse(text) as { code?: string; error?: string }
        throw new RefusedError(reply.status, code, error)
      }
      await sleep(reply?.status === 429 ? Number(reply.headers.get('retry-after') ?? 1) * 1000 : wait)
    }
  }

  sendBatch(resource: string, items: readonly unknown[]): Promise<BatchReply> {
    return this.call('POST', `/${resource}/batch`, { items })
  }

  read(resource: string, id: number): Promise<Listed> {
    return this.call('GET', `/${resource}/${id}`)
  }

  /** All records of a kind, or those that changed since a time, with the tombstones of those that are gone. */
  async *walk(resource: string, updatedSince?: string): AsyncGenerator<Listed> {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query = new URLSearchParams({
        limit: '500',
        ...(updatedSince && { updated_since: updatedSince }),
        ...(cursor && { cursor }),
      })
      const page: Page = await this.call('GET', `/${resource}?${query}`)
      yield* page.items
      cursor = page.next_cursor
    }
  }
}
