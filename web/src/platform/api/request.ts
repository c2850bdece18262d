import type { CallDefinition } from '@limber/contract/kit/call.ts'

export type Part = Record<string, unknown>
export type Parts = { params?: Part; query?: Part; body?: unknown }

/** A request that changed something, and the records that it changed. */
export interface ChangingRequest {
  id: string
  records: readonly string[]
}

/** The request that a reply, or a record in it, came from. */
export const requests = new WeakMap<object, ChangingRequest>()

/** Keeps a request with its reply and the records in it: they are often all that is passed on. */
export function keepRequest(reply: object, request: ChangingRequest): void {
  for (const part of [reply, ...Object.values(reply)]) if (Object(part) === part) requests.set(part, request)
}

export interface SendOptions {
  signal?: AbortSignal
  /** Called during a multipart upload with a share from 0 to 1. */
  onProgress?: (share: number) => void
}

/** A value as text in a URL or a form. */
export const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

function pathOf(template: string, params: Part): string {
  return template.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined || value === null || value === '') throw new Error(`${template} needs ${name}`)
    return encodeURIComponent(textOf(value))
  })
}

function searchOf(query: Part): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, textOf(one))
  }
  const text = search.toString()
  return text && `?${text}`
}

/** The URL of a call, with its parameters and query filled in. */
export const addressOf = (call: CallDefinition, { params = {}, query = {} }: Parts = {}): string =>
  pathOf(call.path, params) + searchOf(query)

const fileText = (_: string, value: unknown) =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value

/** Identifies an action: the same call with the same input and files gives the same text. */
export function actionOf(call: CallDefinition, parts: Parts): string {
  const body = parts.body instanceof FormData ? [...parts.body] : parts.body
  return `${call.method} ${addressOf(call, parts)} ${JSON.stringify(body, fileText)}`
}

/** The CSRF token from the readable cookie, whose name may have a prefix. */
export function csrfToken(cookies: string = document.cookie): string | undefined {
  for (const cookie of cookies.split(/;\s*/)) {
    const cut = cookie.indexOf('=')
    if (cut > 0 && /csrf$/i.test(cookie.slice(0, cut))) return decodeURIComponent(cookie.slice(cut + 1))
  }
  return undefined
}
