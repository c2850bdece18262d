import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { calls } from '@limber/contract/calls.ts'
import { migrate } from '#platform/db/migrate.ts'
import { guardLabel, makeOpenApi } from '#platform/http/openapi.ts'
import { root } from '#platform/paths.ts'
import { makeStorage } from '#platform/storage/open-storage.ts'
import { silentLog } from '#platform/telemetry/log.ts'
import { type Command, print, withConfig } from './command.ts'
import { analyticsCommands } from './commands.analytics.ts'
import { apiKeyCommands } from './commands.api-keys.ts'
import { auditCommands } from './commands.audit.ts'
import { backupCommands } from './commands.backups.ts'
import { certificationCommands } from './commands.certifications.ts'
import { growthCommands } from './commands.growth.ts'
import { importCommands } from './commands.import.ts'
import { keyCommands } from './commands.keys.ts'
import { mailCommands } from './commands.mail.ts'
import { payrollCommands } from './commands.payroll.ts'
import { workerCommands } from './commands.workers.ts'
import { zoneCommands } from './commands.zones.ts'
import { findProblems } from './doctor.ts'
import '../app.ts'
import { undoTable } from '../undo-table.ts'

const routesTable = () =>
  calls.map((call) => `${call.method} ${call.path} ${guardLabel(call)}${call.stepUp ? ' step-up' : ''}`).toSorted()

const routes: Command = {
  usage: '[--write]',
  about: 'print every call with its permission',
  options: { write: { type: 'boolean' } },
  async run({ write }) {
    const text = `${routesTable().join('\n')}\n`
    if (write) await writeFile(join(root, 'server/calls.txt'), text)
    process.stdout.write(text)
  },
}

const undo: Command = {
  usage: '[--write]',
  about: 'print how each change is undone',
  options: { write: { type: 'boolean' } },
  async run({ write }) {
    const text = undoTable()
    if (write) await writeFile(join(root, 'docs/undo.md'), text)
    process.stdout.write(text)
  },
}

const openapi: Command = {
  usage: '',
  about: 'print the API as OpenAPI 3.1',
  options: {},
  run: async () =>
    print(JSON.stringify(makeOpenApi(calls, process.env.PUBLIC_URL ?? 'http://localhost:3000'), null, 2)),
}

const migrateDatabase: Command = {
  usage: '',
  about: 'apply pending database migrations',
  options: {},
  run: () =>
    withConfig(async ({ databaseUrl }) => {
      const { applied } = await migrate(databaseUrl, silentLog)
      print(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.')
    }),
}

const sample: Command = {
  usage: '[--scale NUMBER] [--events NUMBER]',
  about: 'load the sample company into an empty database; --scale 100 makes it large, --events adds usage events',
  options: { scale: { type: 'string' }, events: { type: 'string' } },
  run: ({ scale = '1', events = '0' }) =>
    withConfig(
      async (config) => {
        const { databaseUrl, secretKey } = config
        if (!/^\d{1,4}$/.test(String(scale)) || Number(scale) < 1)
          throw new Error('--scale must be a whole number from 1 to 9999.')
        if (!/^\d{1,9}$/.test(String(events))) throw new Error('--events must be a whole number.')
        const { seedCompany } = await import('../../../seed/seed-company.ts')
        await migrate(databaseUrl, silentLog)
        await seedCompany(databaseUrl, {
          scale: Number(scale),
          log: print,
          secretKey,
          storage: await makeStorage(config),
        })
        if (Number(events) === 0) return
        const { loadUsageEvents } = await import('../../../seed/usage-events.ts')
        await loadUsageEvents(databaseUrl, Number(events), { log: print })
      },
      { mayCreate: true },
    ),
}

const doctor: Command = {
  usage: '',
  about: 'check the database, schema, storage, email, text messages, ads and backups, and report problems',
  options: {},
  run: () =>
    withConfig(async (config) => {
      const findings = await findProblems(config)
      for (const { name, problem, detail } of findings)
        print(`${problem ? 'FAIL' : 'ok  '} ${name.padEnd(12)} ${problem ?? detail}`)
      if (findings.some((finding) => finding.problem)) process.exitCode = 1
    }),
}

/** Every command of `limber` by its name. */
export const commands: Record<string, Command> = {
  ...workerCommands,
  ...auditCommands,
  ...analyticsCommands,
  ...growthCommands,
  ...importCommands,
  ...payrollCommands,
  ...backupCommands,
  ...certificationCommands,
  ...keyCommands,
  ...apiKeyCommands,
  ...zoneCommands,
  ...mailCommands,
  migrate: migrateDatabase,
  sample,
  doctor,
  routes,
  undo,
  openapi,
}
