import { z } from 'zod'
import { SECOND } from '#platform/clock.ts'
import type { Work } from '#platform/db/work.ts'
import { retryByKey } from '#platform/outbox/change-messages.ts'
import { type Channels, RetryLaterError } from '#platform/outbox/outbox.ts'
import { UndeliverableError } from '#platform/outbox/undeliverable.ts'
import { randomToken } from '#platform/security/secrets.ts'
import type { Services } from '#platform/services.ts'
import { findCampaignDetail, pushKey } from '../campaigns/campaign.queries.ts'
import { MissingSetting } from './ad.rules.ts'
import { makePause } from './ad-walk.ts'
import {
  claimPush,
  findPush,
  LostLease,
  lockPush,
  type PushChange,
  releasePush,
  setWaiting,
} from './campaign-push.queries.ts'
import { regainOf } from './meta.rules.ts'
import { MetaFailure, makeGraph } from './meta-graph.ts'
import { openPage } from './meta-page.ts'
import { makeHold, VersionConflictError } from './push-hold.ts'
import { walkPush } from './walk-push.ts'

type Asking = Pick<Work, 'db' | 'now' | 'enqueue'> & { worker: { workerId: number } }

/** Asks for a campaign to be brought to Meta as it is now: a message that waits or was given up goes again. */
export async function requestPush({ db, now, enqueue, worker }: Asking, id: number, name: string): Promise<void> {
  const { rounds } = await lockPush(db, id, now)
  const isGoing = rounds > 0 && (await retryByKey(db, pushKey(id, rounds), worker.workerId, now))
  const round = isGoing ? rounds : rounds + 1
  await setWaiting(db, id, round)
  if (!isGoing)
    enqueue({ channel: 'ad', key: pushKey(id, round), about: `campaign: ${name}`, payload: { campaignId: id } })
}

/** What a failure means for the message that carries the campaign. */
function verdictOf(error: unknown): { state: 'failed' | 'retrying'; error: Error } | undefined {
  if (error instanceof MissingSetting) return { state: 'failed', error: new UndeliverableError(error.message) }
  if (error instanceof RetryLaterError) return { state: 'retrying', error }
  if (!(error instanceof MetaFailure)) return undefined
  if (error.kind !== 'transient') return { state: 'failed', error: new UndeliverableError(error.message) }
  const wait = regainOf(error.regainMinutes)
  return { state: 'retrying', error: wait === undefined ? error : new RetryLaterError(error.message, wait) }
}

const done = { state: 'done', step: null, error: null, begun: null } as const

/** Brings a campaign to Meta, or what changed of it; goes on where an earlier try stopped. */
export async function pushCampaign(
  services: Services,
  id: number,
  /** Milliseconds for an answer of Meta; the client's own unless told. */
  patience?: number,
): Promise<{ outsideId?: string }> {
  const { config, db, clock, storage } = services
  const account = config.meta?.ads
  if (!config.meta || !account) throw new UndeliverableError('No ad account is set up here.')
  const graph = makeGraph(config.meta, patience)
  const page = openPage(config.meta, account.pageId, clock, patience)
  const lease = randomToken(12)
  if (!(await claimPush(db, id, lease)))
    throw new RetryLaterError('Another process brings this campaign to Meta.', 5 * SECOND)
  const { save, saveAt, settle } = makeHold(services, id, lease)
  const pause = makePause()
  const walkOnce = async () => {
    const campaign = await findCampaignDetail(db, id)
    if (!campaign) throw new UndeliverableError('This campaign does not exist.')
    const { version } = campaign
    // It was an ad when the message was posted.
    const isAd = campaign.source === 'facebook_lead_ad'
    const begin = (change: PushChange) => saveAt(version, change)
    const push = await findPush(db, id)
    const told = { ...push.told }
    const pushing = { campaign, push, told, graph, page, account, db, storage, save, begin, pause, now: clock.now() }
    const reply = isAd ? { outsideId: await walkPush(pushing) } : {}
    await settle(done, { version, ...(isAd && { action: 'campaign_pushed' }) })
    return reply
  }
  try {
    return await untilStill(walkOnce, pause)
  } catch (error) {
    if (error instanceof LostLease) throw new RetryLaterError(error.message, 5 * SECOND)
    const verdict = verdictOf(error)
    if (!verdict) throw error
    await settle({ state: verdict.state, error: verdict.error.message })
    throw verdict.error
  } finally {
    await releasePush(db, id, lease)
  }
}

/** Walks again, from what is there by now, as often as somebody edited the campaign meanwhile. */
async function untilStill<T>(walk: () => Promise<T>, pause: () => void): Promise<T> {
  for (;;) {
    try {
      return await walk()
    } catch (error) {
      if (!(error instanceof VersionConflictError)) throw error
      pause()
    }
  }
}

const Payload = z.object({ campaignId: z.int().positive() })

/** Carries campaigns to Meta, where an ad account is set up. */
export const adChannel = (services: Services): Channels =>
  services.config.meta?.ads
    ? {
        ad: (payload) => {
          const read = Payload.safeParse(payload)
          if (!read.success) throw new UndeliverableError('This message names no campaign.')
          return pushCampaign(services, read.data.campaignId)
        },
      }
    : {}
