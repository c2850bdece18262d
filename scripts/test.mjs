import { run } from './run.mjs'

await run('scripts/test.ts', process.argv.slice(2))
