import type { ItemError } from '@limber/contract/kit/batch.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { brokenConstraint } from '../db/db.ts'
import type { Work } from '../db/work.ts'
import type { BatchItem, BatchWriter, Head, ItemOutcome } from './batch-writer.ts'
import { isPlanOnly } from './columns.queries.ts'
import { reject } from './item-errors.ts'

/** Writes items of different records, or plans them; a careful caller pays for finding those that break a constraint. */
export function writeItems<Item extends z.ZodType<Head>>(
  writer: BatchWriter<Item>,
  items: readonly BatchItem<z.output<Item>>[],
  work: Work,
  isCareful: boolean,
): Promise<readonly ItemOutcome[]> {
  if (isPlanOnly(work.db)) return planItems(writer, items, work)
  return isCareful ? writeOrSplit(writer, items, work) : writer.write(items, work)
}

/** Without rows that are written, no constraint is broken: what would break one is found first. */
async function planItems<Item extends z.ZodType<Head>>(
  writer: BatchWriter<Item>,
  items: readonly BatchItem<z.output<Item>>[],
  work: Work,
): Promise<readonly ItemOutcome[]> {
  const broken = (await writer.findBroken?.(items, work)) ?? new Map<number, ItemError>()
  const others = items.filter((_, at) => !broken.has(at))
  const outcomes = (others.length > 0 ? await writer.write(others, work) : []).values()
  return items.map((_, at) => {
    const error = broken.get(at)
    return error ? reject(error) : (outcomes.next().value as ItemOutcome)
  })
}

/** Keeps what a writer tells until its rows are in: those of a set that is split are written again. */
function deferEffects(work: Work): { deferred: Work; release(): void } {
  const told: (() => void)[] = []
  const later =
    <Args extends unknown[]>(tell: (...args: Args) => void) =>
    (...args: Args) =>
      void told.push(() => tell(...args))
  const { audit, publish, enqueue, emit } = work
  return {
    deferred: { ...work, audit: later(audit), publish: later(publish), enqueue: later(enqueue), emit: later(emit) },
    release() {
      for (const tell of told) tell()
    },
  }
}

/**
 * Writes all items at once. If one breaks a constraint that a single item may break, the set is split until that item
 * stands alone: only a bad item costs more.
 */
async function writeOrSplit<Item extends z.ZodType<Head>>(
  writer: BatchWriter<Item>,
  items: readonly BatchItem<z.output<Item>>[],
  work: Work,
  isScreened = false,
): Promise<readonly ItemOutcome[]> {
  if (items.length === 0) return []
  await sql`savepoint batch_items`.execute(work.db)
  try {
    const { deferred, release } = deferEffects(work)
    const outcomes = await writer.write(items, deferred)
    await sql`release savepoint batch_items`.execute(work.db)
    release()
    return outcomes
  } catch (error) {
    const refused = writer.expected?.[brokenConstraint(error) ?? '']
    if (!refused) throw error
    await sql`rollback to savepoint batch_items`.execute(work.db)
    await sql`release savepoint batch_items`.execute(work.db)
    if (items.length === 1) return [reject(refused)]
    const broken = isScreened ? undefined : await writer.findBroken?.(items, work)
    if (broken && broken.size > 0) {
      const others = items.filter((_, at) => !broken.has(at))
      const outcomes = (await writeOrSplit(writer, others, work, true)).values()
      return items.map((_, at) => {
        const error = broken.get(at)
        return error ? reject(error) : (outcomes.next().value as ItemOutcome)
      })
    }
    const half = Math.ceil(items.length / 2)
    return [
      ...(await writeOrSplit(writer, items.slice(0, half), work, true)),
      ...(await writeOrSplit(writer, items.slice(half), work, true)),
    ]
  }
}
