import { z } from 'zod'
import { type Keyring, sameText } from '#platform/security/secrets.ts'

/** Where a page starts: next to which row, and in which direction. */
export interface Cursor {
  way: 'older' | 'newer'
  at: Date
  id: number
}

const Packed = z.tuple([z.enum(['older', 'newer']), z.int(), z.int().positive()])
const PURPOSE = 'page token'

/** A signed page token: the client cannot change it, and it is valid only for its list. */
export function packCursor(keyring: Keyring, list: string, { way, at, id }: Cursor): string {
  const text = JSON.stringify([way, at.getTime(), id])
  return `${Buffer.from(text).toString('base64url')}.${keyring.sign(PURPOSE, `${list} ${text}`)}`
}

export function unpackCursor(keyring: Keyring, list: string, token: string): Cursor | undefined {
  const [packed = '', signature = ''] = token.split('.')
  const text = Buffer.from(packed, 'base64url').toString('utf8')
  if (!sameText(signature, keyring.sign(PURPOSE, `${list} ${text}`))) return undefined
  const [way, at, id] = Packed.parse(JSON.parse(text))
  return { way, at: new Date(at), id }
}
