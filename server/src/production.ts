import { firstWorkerLink, hasNoOnboardedWorker } from '#access/public.ts'
import { MINUTE } from '#platform/clock.ts'
import { ConfigError, readConfig } from '#platform/config.ts'
import { pendingMigrations } from '#platform/db/migrate.ts'
import type { Services } from '#platform/services.ts'
import { describeError, type Log, makeLog } from '#platform/telemetry/log.ts'
import { logToOutput } from '#platform/telemetry/log-sink.ts'
import { startServer } from './serve.ts'

async function checkMigrations(databaseUrl: string) {
  const pending = await pendingMigrations(databaseUrl)
  if (pending.length > 0)
    throw new Error(`The database is not up to date (${pending.join(', ')}). Run: npm run limber -- migrate`)
}

// Of processes that start together, one prints the link. A later start creates a new one, in case the link was lost.
const LINK_INTERVAL = 10 * MINUTE

/** Prints how the first Owner can sign in to an empty system. */
async function welcome(services: Services, log: Log) {
  try {
    if (services.config.ownerEmail === undefined) {
      if (await hasNoOnboardedWorker(services))
        log.info('no one has signed in yet', {
          reason:
            'set OWNER_EMAIL and OWNER_NAME and restart, or run: npm run limber -- worker invite --email … --name … --role Owner',
        })
      return
    }
    const owner = await firstWorkerLink(services, { keepLinkFor: LINK_INTERVAL })
    if (owner)
      process.stdout.write(
        `No one has signed in yet. ${owner.name} (${owner.email}), the first Owner, registers a passkey here:\n  ${owner.link}\n`,
      )
  } catch (error) {
    log.warn('could not create a link for the first Owner', describeError(error))
  }
}

/** The production entry point: settings come from the environment, and the database is already migrated. */
async function main() {
  const config = readConfig(process.env)
  const output = logToOutput()
  const log = makeLog(
    config.logLevel,
    config.logFormat === 'pretty' ? (await import('#platform/telemetry/pretty-log.ts')).prettyLog(output) : output,
  )
  // Listen for signals first: a signal during startup takes effect once the server has started.
  const starting = startServer(config, { log, before: checkMigrations(config.databaseUrl) })
  let isClosing = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isClosing) return
      isClosing = true
      log.info('draining', { signal })
      starting
        .then(async (server) => {
          await server.leave()
          await server.close()
        })
        .then(
          () => process.exit(0),
          (error) => {
            log.error('did not close cleanly', describeError(error))
            process.exit(1)
          },
        )
    })
  }
  const { services } = await starting
  await welcome(services, log)
  log.info('listening', { url: config.publicUrl, port: config.port })
}

/** Runs until it gets a signal. */
export const run = () =>
  main().catch((error) => {
    process.stderr.write(`${error instanceof ConfigError || error instanceof Error ? error.message : error}\n`)
    process.exit(1)
  })
