import type { CallDefinition } from '@limber/contract/kit/call.ts'

export type Part = Record<string, unknown>
export type Parts = { params?: Part; query?: Part; body?: unknown }

export interface SendOptions {
  signal?: AbortSignal
  /** Told while a multipart body goes up: a share from 0 to 1. */
  onProgress?: (share: number) => void
}

/** A value in an address or a form. */
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

/** Where a call lives, with its parameters and query filled in. */
export const addressOf = (call: CallDefinition, { params = {}, query = {} }: Parts = {}): string =>
  pathOf(call.path, params) + searchOf(query)

const fileText = (_: string, value: unknown) =>
  value instanceof File ? [value.name, value.size, value.lastModified] : value

/** What an action does, in a text: the same call with the same words and files is the same action. */
export function actionOf(call: CallDefinition, parts: Parts): string {
  const body = parts.body instanceof FormData ? [...parts.body] : parts.body
  return `${call.method} ${addressOf(call, parts)} ${JSON.stringify(body, fileText)}`
}

/** The token of the readable cookie; its name may carry a prefix. */
export function csrfToken(cookies: string = document.cookie): string | undefined {
  for (const cookie of cookies.split(/;\s*/)) {
    const cut = cookie.indexOf('=')
    if (cut > 0 && /csrf$/i.test(cookie.slice(0, cut))) return decodeURIComponent(cookie.slice(cut + 1))
  }
  return undefined
}
