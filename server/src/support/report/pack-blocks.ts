import { inTransaction } from '#platform/db/db.ts'
import type { Services } from '#platform/services.ts'
import { findFactsOfBlock, findOutdatedBlocks, lockBlock, saveBlock, takeChanges } from './facts.queries.ts'
import { factsOf, pack, type TicketFacts } from './facts.rules.ts'

const momentOf = (seconds: number) => new Date(seconds * 1000)

function packed(tickets: readonly TicketFacts[]) {
  if (tickets.length === 0) return undefined
  const facts = factsOf(tickets)
  const { opened, replied, closed, endAt } = facts
  const moments = [opened, replied, closed, endAt].flatMap((column) => [...column].filter((moment) => moment > 0))
  return { facts: pack(facts), first: momentOf(Math.min(...moments)), last: momentOf(Math.max(...moments)) }
}

/**
 * Packs the blocks whose tickets changed, one by one in short transactions. It may stop anywhere: the report reads what is
 * not packed from the tickets.
 */
export async function packBlocks({ db }: Pick<Services, 'db'>): Promise<{ packed: number }> {
  const blocks = await findOutdatedBlocks(db)
  for (const block of blocks)
    await inTransaction(db, async (tx) => {
      await lockBlock(tx, block)
      await takeChanges(tx, block)
      await saveBlock(tx, block, packed(await findFactsOfBlock(tx, block)))
    })
  return { packed: blocks.length }
}
