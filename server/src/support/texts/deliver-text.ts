import { receiveMessageState } from '@limber/contract/support/texts/message.ts'
import { MINUTE, shift } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/db.ts'
import { isSuppressed, OPTED_OUT } from '#platform/mail/suppressions.ts'
import type { Deliver } from '#platform/outbox/outbox.ts'
import type { ProviderText, TextService } from '#platform/outbox/texts.ts'
import { UndeliverableError } from '#platform/outbox/undeliverable.ts'
import type { Services } from '#platform/services.ts'
import { findOwnSids, setSid, startDelivery } from './text.queries.ts'
import { ERASED_NUMBER } from './text.rules.ts'

/** A text message in the outbox; bulk messages check the opt-out again right before sending. */
interface TextPayload {
  isBulk?: boolean
}

/** How far the service's clock may be behind ours. */
const CLOCK_SKEW = 10 * MINUTE

type Needs = Pick<Services, 'db' | 'clock' | 'config'>

/**
 * Sends text messages through the service. It has no idempotency key, so after a first attempt without a response the
 * message is looked up there before a retry.
 */
export function makeTextDelivery({ db, clock, config }: Needs, service: TextService): Deliver {
  async function findAccepted(to: string, body: string, since: Date): Promise<ProviderText | undefined> {
    const sent = (await service.findSent(to, shift(since, -CLOCK_SKEW))).filter((text) => text.body.endsWith(body))
    if (sent.length === 0) return undefined
    const own = await findOwnSids(
      db,
      sent.map(({ sid }) => sid),
    )
    return sent.findLast(({ sid }) => !own.has(sid))
  }

  return async (payload, key) => {
    const { isBulk } = payload as TextPayload
    const text = await startDelivery(db, key, clock.now())
    if (!text || text.to_number === ERASED_NUMBER) throw new UndeliverableError('The message was erased.')
    if (text.sid) return { outsideId: text.sid }
    const { to_number: to, body, tried_before } = text
    const accepted = tried_before ? await findAccepted(to, body, tried_before) : undefined
    if (!accepted && isBulk && (await isSuppressed(db, 'text', to))) throw new UndeliverableError(OPTED_OUT)
    const statusUrl = `${config.publicUrl}${receiveMessageState.path}?${new URLSearchParams({ key })}`
    const { sid } = accepted ?? (await service.send({ to, body, statusUrl }))
    await inTransaction(db, (tx) => setSid(tx, key, sid))
    return { outsideId: sid }
  }
}
