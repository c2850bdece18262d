import { join } from 'node:path'
import { bundleServer } from './bundle-server.ts'

await bundleServer({ main: 'server/src/main.ts' }, join(import.meta.dirname, '../server/dist'))
