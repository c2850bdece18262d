import type { LiveTopic } from '@limber/contract/kit/live.ts'
import type { Work } from '#platform/db/work.ts'
import type { Services } from '#platform/services.ts'
import type { BatchWriter } from '#platform/sync/batch-writer.ts'

/** How the batches of one kind of record are written. */
export interface ImportTarget {
  // biome-ignore lint/suspicious/noExplicitAny: a writer's items are whatever its own schema makes of them
  writer: BatchWriter<any>
  topics: readonly LiveTopic[]
}

export type ImportServices = Pick<Services, 'company' | 'config' | 'db' | 'clock' | 'keyring' | 'storage' | 'log'>

/** Who an import acts as, for the audit log. Webhooks of its own source do not hear of it. */
export const actorOf = ({ source, created_by }: { source: string; created_by: number | null }) => ({
  call: 'import',
  source,
  ...(created_by !== null && { workerId: created_by }),
})

/** Nothing leaves the product: no email, text, webhook or wage. */
export const quiet = (work: Work): Work => ({ ...work, isQuiet: true, emit: () => {}, enqueue: () => {} })
