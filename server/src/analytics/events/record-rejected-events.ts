import { HOUR } from '#platform/clock.ts'
import { runWork } from '#platform/db/work.ts'
import type { RequestFacts } from '#platform/http/routes.ts'
import { recordInbound, settleInbound } from '#platform/outbox/inbound.ts'
import type { Services } from '#platform/services.ts'
import { describeError } from '#platform/telemetry/log.ts'

/** Records rejected events under Integration events, at most one row an hour. */
export async function recordRejectedEvents(
  services: Services,
  { id: requestId, address }: Pick<RequestFacts, 'id' | 'address'>,
  received: number,
  rejected: readonly { error: string }[],
): Promise<void> {
  const first = rejected[0]?.error ?? ''
  const write = runWork(services, { call: 'event ingest' }, async (work) => {
    const hour = new Date(Math.floor(work.now.getTime() / HOUR) * HOUR).toISOString().slice(0, 13)
    const { id } = await recordInbound(work, {
      kind: 'usage_events',
      key: `turned-away-${hour}`,
      about: 'Rejected usage events',
      isSigned: true,
      payload: { brought: received, turnedAway: rejected.length },
      visibleFields: { brought: 'plain', turnedAway: 'plain' },
      requestId,
      address,
    })
    await settleInbound(work, id, { status: 'failed', error: first })
  })
  // The accepted events are stored even when this fails.
  await write.catch((error) => services.log.warn('rejected events were not recorded', describeError(error)))
}
