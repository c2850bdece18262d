import { sqlState } from '../db/db.ts'

const maskText = (text: string) => `${text.slice(0, 1)}•••`

/** Masks an email address but leaves enough to recognize it. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 1 ? maskText(address) : `${maskText(address)}${address.slice(at)}`
}

/** Masks a phone number except for its last two digits. */
export const maskPhone = (number: string): string => `•••${number.replace(/\D/g, '').slice(-2)}`

// Bounded patterns without nested repetition, because the text may be hostile.
const credentials = /:\/\/[^\s/@]{1,200}@/g
const query = /\?[^\s"'<>]{1,500}/g
const addresses = /[^\s@<>"'(),;:/•]{1,64}@[\w.-]{1,190}/g
const phones = /\+\d[\d ().-]{6,18}\d/g
// All of an API key, also one that happens to have no digit.
const apiKeys = /\blmb_\w{1,100}/g
const tokens = /\b(?=[A-Za-z_-]{0,200}\d)[A-Za-z0-9_-]{24,}/g
const codes = /\b\d{6,}\b/g
const idOfRequest = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** An error text that is safe to store and show: addresses masked; passwords, query strings, tokens and codes removed. */
export const withoutSecrets = (text: string): string =>
  text
    .slice(0, 2_000)
    .replace(credentials, '://•••@')
    .replace(query, '?•••')
    .replace(addresses, maskAddress)
    .replace(phones, maskPhone)
    .replace(apiKeys, 'lmb_•••')
    .replace(tokens, (token) => (idOfRequest.test(token) ? token : '•••'))
    .replace(codes, '•••')

// Matches frames in the sources and in the build. Function names survive the build, line numbers do not.
const frame = /at (?:async )?(?:([\w.$]+) \()?\S*?((?:server|contract)\/(?:src|dist)\/[\w./-]+\.[jt]s):(\d+)/

/** The kind of an error and its location in our source, without its message, which may quote anything. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'not an error'
  const name = /^[A-Za-z]{1,60}$/.test(error.name) ? error.name : 'Error'
  const state = sqlState(error)
  // Skip the message at the start of the stack: it may look like a frame.
  const lines = error.stack?.slice(error.stack.indexOf('\n    at ')).split('\n') ?? []
  const place = lines
    .slice(0, 30)
    .map((line) => frame.exec(line.slice(0, 500)))
    .find((found) => found !== null)
  const where = place ? ` ${place[1] ? `in ${place[1]}, ` : 'at '}${place[2]}:${place[3]}` : ''
  return `${name}${state ? ` ${state}` : ''}${where}`
}
