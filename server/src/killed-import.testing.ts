import { runImport } from '#imports/run/run-import.ts'
import { readConfig } from '#platform/config.ts'
import { importTargets } from './app.ts'
import { startServer } from './serve.ts'

// A separate process that runs one import. The test kills it.
const { services } = await startServer(readConfig(process.env), { withJobs: false })
process.stdout.write('ready\n')
await runImport(services, importTargets, Number(process.env.IMPORT_ID))
