import { run } from './run.mjs'

await run('scripts/dev.ts', process.argv.slice(2))
