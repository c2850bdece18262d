import { readConfig } from '#platform/config.ts'
import { startServer } from '#serve.ts'
import { hastyTimes } from './mailbox.testing.ts'
import { startMailboxReader } from './mailbox-reader.ts'

// A separate process that reads the mailboxes until it is killed.
const { services } = await startServer(readConfig(process.env), { withJobs: false, channels: {} })
startMailboxReader(services, hastyTimes)
process.stdout.write('reading\n')
