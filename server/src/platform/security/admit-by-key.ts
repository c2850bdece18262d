import type { IncomingHttpHeaders } from 'node:http'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import type { Config } from '../config.ts'
import { refuse } from '../http/refusal.ts'
import type { Services } from '../services.ts'
import { hashToken, sameText } from './secrets.ts'

const digest = (text: string) => hashToken(text).toString('hex')

/** Turns away the program that does not bring its key, before a byte of the body is read. */
export const admitByKey =
  <C extends CallDefinition & { refusals: { not_connected: unknown; wrong_key: unknown } }>(
    call: C,
    header: `x-${string}`,
    keyOf: (config: Config) => string | undefined,
  ) =>
  (headers: IncomingHttpHeaders, { config }: Services): void => {
    const key = keyOf(config)
    if (!key) throw refuse(call as never, 'not_connected' as never)
    const brought = headers[header]
    if (typeof brought !== 'string' || !sameText(digest(brought), digest(key)))
      throw refuse(call as never, 'wrong_key' as never)
  }
