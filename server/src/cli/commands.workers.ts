import { nameOf } from '@limber/contract/access/permissions.ts'
import { rolePresets } from '@limber/contract/access/workers/role-presets.ts'
import { formatMoment } from '@limber/contract/kit/formats/dates.ts'
import { Email, Line } from '@limber/contract/kit/values.ts'
import { inviteWorker, listWorkers, resetWorker } from '#access/public.ts'
import { type Command, print, withInstallation } from './command.ts'

function readEmail(text: unknown): string {
  const parsed = Email.safeParse(text)
  if (!parsed.success) throw new Error('--email must be an email address.')
  return parsed.data
}

function readName(text: unknown): string {
  const parsed = Line(120).safeParse(text)
  if (!parsed.success) throw new Error('--name is required: one line of at most 120 characters.')
  return parsed.data
}

/** Parses permission codes separated by commas. */
function readPermissions(text: unknown): string[] | undefined {
  if (typeof text !== 'string') return undefined
  const codes = text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)
  const unknown = codes.filter((code) => !nameOf(code))
  if (unknown.length > 0) throw new Error(`Unknown permission: ${unknown.join(', ')}.`)
  return codes
}

const invite: Command = {
  usage: '--email EMAIL --name NAME (--role ROLE | --permissions 1,2,…)',
  about: 'invite a worker and print the onboarding link',
  options: {
    email: { type: 'string' },
    name: { type: 'string' },
    role: { type: 'string' },
    permissions: { type: 'string' },
  },
  run: ({ email, name, role, permissions }) =>
    withInstallation(async (installation) => {
      const workerName = readName(name)
      if (typeof role === 'string' && !(role in rolePresets))
        throw new Error(`--role must be one of ${Object.keys(rolePresets).join(', ')}.`)
      if (role === undefined && permissions === undefined) throw new Error('--role or --permissions is required.')
      const { workerId, link } = await inviteWorker(installation, {
        email: readEmail(email),
        name: workerName,
        role: typeof role === 'string' ? role : undefined,
        permissions: readPermissions(permissions),
      })
      print(`Invited ${workerName} as worker ${workerId}. The link works for 7 days:`)
      print(link)
    }),
}

const list: Command = {
  usage: '',
  about: 'list all workers',
  options: {},
  run: () =>
    withInstallation(async (installation) => {
      for (const { id, name, email, role, status, lastSeenAt } of await listWorkers(installation)) {
        print(
          [
            String(id).padStart(4),
            status.padEnd(8),
            (role ?? '').padEnd(14),
            email.padEnd(36),
            name.padEnd(24),
            lastSeenAt ? `seen ${formatMoment(lastSeenAt, { isZoneNamed: true })}` : '',
          ]
            .join('  ')
            .trimEnd(),
        )
      }
    }),
}

const reset: Command = {
  usage: '--email EMAIL',
  about: "emergency access: end a worker's sessions and print a new onboarding link; the audit log records it",
  options: { email: { type: 'string' } },
  run: ({ email }) =>
    withInstallation(async (installation) => {
      print(await resetWorker(installation, readEmail(email)))
    }),
}

/** Commands about workers. */
export const workerCommands: Record<string, Command> = {
  'worker invite': invite,
  'worker list': list,
  'worker reset': reset,
}
