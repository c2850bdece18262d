import { sqlState } from '../db/db.ts'

const mostOf = (text: string) => `${text.slice(0, 1)}•••`

/** An e-mail address of which one can tell whether it is the one that is meant, and no more. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 1 ? mostOf(address) : `${mostOf(address)}${address.slice(at)}`
}

/** A telephone number by its last two digits. */
export const maskPhone = (number: string): string => `•••${number.replace(/\D/g, '').slice(-2)}`

// Bounded and without nested repetition: an error text may be anything.
const credentials = /:\/\/[^\s/@]{1,200}@/g
const query = /\?[^\s"'<>]{1,500}/g
const addresses = /[^\s@<>"'(),;:/•]{1,64}@[\w.-]{1,190}/g
const phones = /\+\d[\d ().-]{6,18}\d/g
const tokens = /\b(?=[A-Za-z_-]{0,200}\d)[A-Za-z0-9_-]{24,}/g
const codes = /\b\d{6,}\b/g
const idOfRequest = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** A text of an error as it may be kept and shown: addresses masked; passwords, query strings, tokens and codes gone. */
export const withoutSecrets = (text: string): string =>
  text
    .slice(0, 2_000)
    .replace(credentials, '://•••@')
    .replace(query, '?•••')
    .replace(addresses, maskAddress)
    .replace(phones, maskPhone)
    .replace(tokens, (token) => (idOfRequest.test(token) ? token : '•••'))
    .replace(codes, '•••')

// Sources, or the built server; the names of functions survive the build, the lines do not.
const frame = /at (?:async )?(?:([\w.$]+) \()?\S*?((?:server|contract)\/(?:src|dist)\/[\w./-]+\.[jt]s):(\d+)/

/** What kind of error it was and where in our source it arose. Its message stays in the log: it may quote anything. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'not an error'
  const name = /^[A-Za-z]{1,60}$/.test(error.name) ? error.name : 'Error'
  const state = sqlState(error)
  // The stack begins with the message, which may look like anything: only its lines count.
  const lines = error.stack?.slice(error.stack.indexOf('\n    at ')).split('\n') ?? []
  const place = lines
    .slice(0, 30)
    .map((line) => frame.exec(line.slice(0, 500)))
    .find((found) => found !== null)
  const where = place ? ` ${place[1] ? `in ${place[1]}, ` : 'at '}${place[2]}:${place[3]}` : ''
  return `${name}${state ? ` ${state}` : ''}${where}`
}
