import { createInterface } from 'node:readline'
import type { AdFault, AdStep } from './ads.testing.ts'
import { startTestGraph } from './meta.testing.ts'

// For browser tests: prints its settings, then answers each input line with one output line.
const graph = await startTestGraph()
const say = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`)
say({ ...graph.env, ...graph.adEnv })

for await (const line of createInterface({ input: process.stdin })) {
  const faults = JSON.parse(line) as Partial<Record<AdStep, AdFault[]>>
  for (const [step, list] of Object.entries(faults)) graph.ads.faults.set(step as AdStep, list)
  const counts: Record<string, number> = {}
  for (const { kind } of graph.ads.made) counts[kind] = (counts[kind] ?? 0) + 1
  say({ counts, isOpen: [...graph.ads.faults.values()].some((list) => list.length > 0) })
}
await graph.close()
