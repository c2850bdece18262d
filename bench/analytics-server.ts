import { readConfig } from '../server/src/platform/config.ts'
import { startServer } from '../server/src/serve.ts'

// The product as it runs, or without recording its own calls: what recording costs is the difference.
const { services } = await startServer(readConfig(process.env))
if (process.env.BENCH_RECORDS === '0') services.events.record = () => {}
