import type { IncomingHttpHeaders } from 'node:http'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import type { Config } from '../config.ts'
import { refuseBy } from '../http/refusal.ts'
import type { Services } from '../services.ts'
import { hashToken, sameText } from './secrets.ts'

const digest = (text: string) => hashToken(text).toString('hex')

/** Turns away the program that does not bring its key, before a byte of the body is read. */
export const admitByKey =
  (
    call: CallDefinition & { refusals: { not_connected: unknown; wrong_key: unknown } },
    header: `x-${string}`,
    keyOf: (config: Config) => string | undefined,
  ) =>
  (headers: IncomingHttpHeaders, { config }: Services): void => {
    const key = keyOf(config)
    if (!key) throw refuseBy(call, 'not_connected')
    const brought = headers[header]
    if (typeof brought !== 'string' || !sameText(digest(brought), digest(key))) throw refuseBy(call, 'wrong_key')
  }
