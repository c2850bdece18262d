import type { IncomingHttpHeaders } from 'node:http'
import type { ApiScope } from '@limber/contract/access/api-keys/scopes.ts'
import type { CallDefinition } from '@limber/contract/kit/call.ts'
import type { Config } from '../config.ts'
import { refuseBy } from '../http/refusal.ts'
import type { Services } from '../services.ts'
import type { Log } from '../telemetry/log.ts'
import { hashToken, sameText } from './secrets.ts'

const digest = (text: string) => hashToken(text).toString('hex')

/** Deprecated keys from environment variables, by header. API keys replace them. */
const variables: Readonly<
  Record<string, { variable: string; scope: ApiScope; keyOf(config: Config): string | undefined }>
> = {
  'x-ingest-key': { variable: 'EVENT_INGEST_KEY', scope: 'events:write', keyOf: ({ ingestKey }) => ingestKey },
  'x-portal-key': { variable: 'TRAINING_PORTAL_KEY', scope: 'training:write', keyOf: ({ portalKey }) => portalKey },
  'x-support-key': { variable: 'SUPPORT_INBOUND_KEY', scope: 'tickets:write', keyOf: ({ supportKey }) => supportKey },
}

/** The variables that are still set. */
export const deprecatedKeys = (config: Config) => Object.values(variables).filter(({ keyOf }) => keyOf(config))

/** Logs at start which variables are deprecated. */
export function warnOfDeprecatedKeys(config: Config, log: Log): void {
  for (const { variable, scope } of deprecatedKeys(config))
    log.warn(`${variable} is deprecated: create an API key with the scope ${scope} and remove the variable`, {
      name: variable,
    })
}

/** Admits a program by the key of an environment variable and returns the variable's name. Refuses all others. */
export function admitByKey(call: CallDefinition, headers: IncomingHttpHeaders, { config }: Services): string {
  const header = call.deprecatedHeader ?? ''
  const known = variables[header]
  if (!known) throw new Error(`${call.method} ${call.path} has no deprecated header`)
  const key = known.keyOf(config)
  if (!key) throw refuseBy(call, 'not_connected')
  const sent = headers[header]
  if (typeof sent !== 'string' || !sameText(digest(sent), digest(key))) throw refuseBy(call, 'wrong_key')
  return known.variable
}
