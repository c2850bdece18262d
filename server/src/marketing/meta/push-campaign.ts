import { z } from 'zod'
import { SECOND } from '#platform/clock.ts'
import type { Work } from '#platform/db/work.ts'
import { retryByKey } from '#platform/outbox/change-messages.ts'
import { type Channels, RetryLaterError } from '#platform/outbox/outbox.ts'
import { UndeliverableError } from '#platform/outbox/undeliverable.ts'
import { randomToken } from '#platform/security/secrets.ts'
import type { Services } from '#platform/services.ts'
import { findCampaignDetail, pushKey } from '../campaigns/campaign.queries.ts'
import { MissingSettingError } from './ad.rules.ts'
import {
  claimPush,
  findPush,
  LeaseLostError,
  lockPush,
  type PushChange,
  releasePush,
  setWaiting,
} from './campaign-push.queries.ts'
import { regainMilliseconds } from './meta.rules.ts'
import { MetaFailure, makeGraph } from './meta-graph.ts'
import { openPage } from './meta-page.ts'
import { makeTimeLimit } from './push-run.ts'
import { makePushWriter, VersionConflictError } from './push-writer.ts'
import { runPush } from './run-push.ts'

type PushRequest = Pick<Work, 'db' | 'now' | 'enqueue'> & { worker: { workerId: number } }

/** Requests a push of the campaign. A waiting or failed message is reused instead of adding another. */
export async function requestPush({ db, now, enqueue, worker }: PushRequest, id: number, name: string): Promise<void> {
  const { rounds } = await lockPush(db, id, now)
  const isReused = rounds > 0 && (await retryByKey(db, pushKey(id, rounds), worker.workerId, now))
  const round = isReused ? rounds : rounds + 1
  await setWaiting(db, id, round)
  if (!isReused)
    enqueue({ channel: 'ad', key: pushKey(id, round), about: `campaign: ${name}`, payload: { campaignId: id } })
}

/** How a failure affects the outbox message. */
function outcomeOf(error: unknown): { state: 'failed' | 'retrying'; error: Error } | undefined {
  if (error instanceof MissingSettingError) return { state: 'failed', error: new UndeliverableError(error.message) }
  if (error instanceof RetryLaterError) return { state: 'retrying', error }
  if (!(error instanceof MetaFailure)) return undefined
  if (error.kind !== 'transient') return { state: 'failed', error: new UndeliverableError(error.message) }
  const wait = regainMilliseconds(error.regainMinutes)
  return { state: 'retrying', error: wait === undefined ? error : new RetryLaterError(error.message, wait) }
}

const done = { state: 'done', step: null, error: null, begun: null } as const

/** Pushes a campaign or its changes to Meta. Continues where an earlier attempt stopped. */
export async function pushCampaign(
  services: Services,
  id: number,
  /** Timeout per request in milliseconds; the client's default if omitted. */
  timeout?: number,
): Promise<{ outsideId?: string }> {
  const { config, db, clock, storage } = services
  const account = config.meta?.ads
  if (!config.meta || !account) throw new UndeliverableError('Meta is not connected. Set up an ad account first.')
  const graph = makeGraph(config.meta, timeout)
  const page = openPage(config.meta, account.pageId, clock, timeout)
  const lease = randomToken(12)
  if (!(await claimPush(db, id, lease)))
    throw new RetryLaterError('Another process is sending this campaign to Meta.', 5 * SECOND)
  const { save, saveAt, settle } = makePushWriter(services, id, lease)
  const checkTime = makeTimeLimit()
  const runOnce = async () => {
    const campaign = await findCampaignDetail(db, id)
    if (!campaign) throw new UndeliverableError('This campaign does not exist.')
    const { version } = campaign
    // The source may have changed since the message was enqueued.
    const isAd = campaign.source === 'facebook_lead_ad'
    const begin = (change: PushChange) => saveAt(version, change)
    const push = await findPush(db, id)
    const told = { ...push.told }
    const context = {
      campaign,
      push,
      told,
      graph,
      page,
      account,
      db,
      storage,
      save,
      begin,
      checkTime,
      now: clock.now(),
    }
    const reply = isAd ? { outsideId: await runPush(context) } : {}
    await settle(done, { version, ...(isAd && { action: 'campaign_pushed' }) })
    return reply
  }
  try {
    return await retryOnConflict(runOnce, checkTime)
  } catch (error) {
    if (error instanceof LeaseLostError) throw new RetryLaterError(error.message, 5 * SECOND)
    const verdict = outcomeOf(error)
    if (!verdict) throw error
    await settle({ state: verdict.state, error: verdict.error.message })
    throw verdict.error
  } finally {
    await releasePush(db, id, lease)
  }
}

/** Repeats the attempt with fresh data each time someone edits the campaign in between. */
async function retryOnConflict<T>(run: () => Promise<T>, checkTime: () => void): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!(error instanceof VersionConflictError)) throw error
      checkTime()
    }
  }
}

const Payload = z.object({ campaignId: z.int().positive() })

/** The outbox channel to Meta, if an ad account is set up. */
export const adChannel = (services: Services): Channels =>
  services.config.meta?.ads
    ? {
        ad: (payload) => {
          const read = Payload.safeParse(payload)
          if (!read.success) throw new UndeliverableError('The message contains no campaign.')
          return pushCampaign(services, read.data.campaignId)
        },
      }
    : {}
