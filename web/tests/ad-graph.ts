import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const root = join(import.meta.dirname, '../..')

/** Failures of the Graph server, by step. */
export type Faults = Record<string, string[]>

export interface AdGraph {
  /** Environment variables that connect Limber to it. */
  env: Record<string, string>
  /** Sets failures. Returns what was created so far and whether failures remain. */
  tell(faults?: Faults): Promise<{ counts: Record<string, number>; isOpen: boolean }>
  stop(): Promise<void>
}

/** A local fake Graph API in its own process. */
export async function startAdGraph(): Promise<AdGraph> {
  const child = spawn(process.execPath, [join(root, 'server/src/marketing/meta/run-graph.testing.ts')], {
    cwd: join(root, 'server'),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async () => JSON.parse((await lines.next()).value ?? 'null')
  const env = (await next()) as Record<string, string>
  return {
    env,
    async tell(faults = {}) {
      child.stdin.write(`${JSON.stringify(faults)}\n`)
      return next()
    },
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}
