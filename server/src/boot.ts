import { enableCompileCache, flushCompileCache } from 'node:module'

// The next start reuses the compiled code, which saves more than half a second.
enableCompileCache()
const { run } = await import('./production.ts')
await run()
// Without this, the cache is written only on a clean exit, and the start after a kill is slow.
flushCompileCache()
