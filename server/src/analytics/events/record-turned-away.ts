import { HOUR } from '#platform/clock.ts'
import { runWork } from '#platform/db/work.ts'
import type { RequestFacts } from '#platform/http/routes.ts'
import { recordInbound, settleInbound } from '#platform/outbox/inbound.ts'
import type { Services } from '#platform/services.ts'
import { describeError } from '#platform/telemetry/log.ts'

/** Notes for Integration events that a sender brings events which cannot be taken: one row an hour. */
export async function recordTurnedAway(
  services: Services,
  { id: requestId, address }: Pick<RequestFacts, 'id' | 'address'>,
  brought: number,
  turned: readonly { error: string }[],
): Promise<void> {
  const first = turned[0]?.error ?? ''
  const write = runWork(services, { call: 'event ingest' }, async (work) => {
    const hour = new Date(Math.floor(work.now.getTime() / HOUR) * HOUR).toISOString().slice(0, 13)
    const { id } = await recordInbound(work, {
      kind: 'usage_events',
      key: `turned-away-${hour}`,
      about: 'Usage events that could not be taken',
      isSigned: true,
      payload: { brought, turnedAway: turned.length },
      shows: { brought: 'plain', turnedAway: 'plain' },
      requestId,
      address,
    })
    await settleInbound(work, id, { status: 'failed', error: first })
  })
  // The events that could be taken are taken all the same.
  await write.catch((error) => services.log.warn('turned-away events were not noted', describeError(error)))
}
