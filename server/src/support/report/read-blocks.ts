import { setImmediate } from 'node:timers/promises'
import type { Db } from '#platform/db/db.ts'
import { type BlockVersion, findBlocks, findFactsOfBlock, findPacked } from './facts.queries.ts'
import { type Facts, factsOf, unpack } from './facts.rules.ts'

/** About 3 MB. Other requests are answered between two batches. */
const BATCH_SIZE = 512
/** About 1.3 million tickets in 60 MB. Those beyond are read each time. */
const MAX_KEPT = 5_000

type Kept = Map<number, { version: string; facts: Facts }>

/** Unpacked blocks, so that a report reads only those that were packed again since the one before. */
const keptOf = new WeakMap<Db, Kept>()

/** What is known of a batch of blocks, and what is packed of the others. */
async function readBatch(db: Db, kept: Kept, blocks: readonly BlockVersion[]) {
  const known = new Map<number, Facts>()
  for (const { block, version } of blocks) {
    const one = kept.get(block)
    if (one && one.version === version) known.set(block, one.facts)
  }
  const missing = blocks.flatMap(({ block }) => (known.has(block) ? [] : block))
  return { known, rows: missing.length > 0 ? await findPacked(db, missing) : [] }
}

/** The facts of the tickets that may count in a range, by block. */
export async function* readBlocks(
  db: Db,
  range: { from: Date; to: Date },
): AsyncGenerator<readonly [block: number, facts: Facts]> {
  const kept: Kept = keptOf.get(db) ?? new Map()
  keptOf.set(db, kept)
  const blocks = await findBlocks(db, range)
  const batch = (from: number) => readBatch(db, kept, blocks.slice(from, from + BATCH_SIZE))
  let next = batch(0)
  for (let from = 0; from < blocks.length; from += BATCH_SIZE) {
    const { known, rows } = await next
    // The database reads a batch while the one before is counted. If counting fails, no one waits for it.
    next = batch(from + BATCH_SIZE)
    next.catch(() => {})
    yield* known
    for (const { block, version, facts: packed } of rows) {
      const facts = packed ? unpack(packed) : factsOf(await findFactsOfBlock(db, block))
      if (version !== null && (kept.has(block) || kept.size < MAX_KEPT)) kept.set(block, { version, facts })
      yield [block, facts]
    }
    await setImmediate()
  }
}
