import { createApiKey } from '@limber/contract/access/api-keys/api-key.ts'
import { apiScopes } from '@limber/contract/access/api-keys/scopes.ts'
import { formatMoment } from '@limber/contract/kit/formats/dates.ts'
import { createKeyByCommand, listKeys, revokeKeyByCommand } from '#access/public.ts'
import { type Command, print, withInstallation } from './command.ts'

const split = (text: unknown) =>
  String(text ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)

/** Validates the options with the schema of the call. Errors name the option. */
function readDraft({ name, source, scopes, expires }: Record<string, string | boolean | undefined>) {
  const unknown = split(scopes).filter((scope) => !apiScopes.some((known) => known === scope))
  if (unknown.length > 0)
    throw new Error(`Unknown scope: ${unknown.join(', ')}. Available scopes: ${apiScopes.join(', ')}.`)
  const parsed = createApiKey.body.safeParse({ name, source, scopes: split(scopes), expiresOn: expires ?? null })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const option = String(issue?.path[0] ?? 'name').replace('expiresOn', 'expires')
  throw new Error(`--${option}: ${issue?.message ?? 'is invalid'}`)
}

const create: Command = {
  usage: '--name NAME --source SLUG --scopes a:read,b:write [--expires YYYY-MM-DD]',
  about: 'create an API key and print it once, on the last line',
  options: {
    name: { type: 'string' },
    source: { type: 'string' },
    scopes: { type: 'string' },
    expires: { type: 'string' },
  },
  run: (values) =>
    withInstallation(async (installation) => {
      const draft = readDraft(values)
      const token = await createKeyByCommand(installation, draft)
      const until = draft.expiresOn === null ? '' : ` It works through ${draft.expiresOn}.`
      print(`Created the API key ${draft.name} for ${draft.source}.${until} It is shown once:`)
      print(token)
    }),
}

const list: Command = {
  usage: '',
  about: 'list the API keys without their secrets',
  options: {},
  run: () =>
    withInstallation(async (installation) => {
      for (const { publicId, name, source, scopes, status, lastUsedAt } of await listKeys(installation))
        print(
          [
            publicId,
            status.padEnd(7),
            source.padEnd(16),
            name.padEnd(28),
            lastUsedAt ? `used ${formatMoment(lastUsedAt, { isZoneNamed: true })}` : 'never used',
            scopes.join(','),
          ].join('  '),
        )
    }),
}

const revoke: Command = {
  usage: 'PUBLIC_ID',
  about: 'revoke an API key immediately',
  options: {},
  run: (_values, [publicId]) =>
    withInstallation(async (installation) => {
      if (!publicId) throw new Error('Enter the public ID of a key. List the keys with: npm run limber -- api-key list')
      const name = await revokeKeyByCommand(installation, publicId)
      print(`Revoked the API key ${name}.`)
    }),
}

/** Commands about API keys. */
export const apiKeyCommands: Record<string, Command> = {
  'api-key create': create,
  'api-key list': list,
  'api-key revoke': revoke,
}
