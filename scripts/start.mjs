import { run } from './run.mjs'

await run('server/src/start.ts', process.argv.slice(2))
