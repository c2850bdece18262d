import { z } from 'zod'
import { SECOND } from '#platform/clock.ts'
import { type Channels, NotYet, retryPosted } from '#platform/outbox.ts'
import { randomToken } from '#platform/secrets.ts'
import type { Services } from '#platform/services.ts'
import { Undeliverable } from '#platform/undeliverable.ts'
import { runWork, type Work } from '#platform/work.ts'
import { MissingSetting } from './ad.rules.ts'
import { findCampaignDetail, pushKey } from './campaign.queries.ts'
import {
  claimPush,
  findPush,
  holdPush,
  LostLease,
  type PushChange,
  releasePush,
  savePush,
  setWaiting,
} from './campaign-push.queries.ts'
import { regainOf } from './meta.rules.ts'
import { MetaFailure, makeGraph } from './meta-graph.ts'
import { CAMPAIGNS_TOPIC } from './topic.ts'
import { walkPush } from './walk-push.ts'

type Asking = Pick<Work, 'db' | 'now' | 'post'> & { worker: { workerId: number } }

/** Asks for a campaign to be brought to Meta as it is now: a message that waits or was given up goes again. */
export async function requestPush({ db, now, post, worker }: Asking, id: number, name: string): Promise<void> {
  const { rounds } = await holdPush(db, id, now)
  const isGoing = rounds > 0 && (await retryPosted(db, pushKey(id, rounds), worker.workerId, now))
  const round = isGoing ? rounds : rounds + 1
  await setWaiting(db, id, round)
  if (!isGoing)
    post({ channel: 'ad', key: pushKey(id, round), about: `campaign: ${name}`, payload: { campaignId: id } })
}

const actor = { call: 'delivery of a campaign' }

/** What a failure means for the message that carries the campaign. */
function verdictOf(error: unknown): { state: 'failed' | 'retrying'; error: Error } | undefined {
  if (error instanceof MissingSetting) return { state: 'failed', error: new Undeliverable(error.message) }
  if (error instanceof NotYet) return { state: 'retrying', error }
  if (!(error instanceof MetaFailure)) return undefined
  if (error.kind !== 'transient') return { state: 'failed', error: new Undeliverable(error.message) }
  const wait = regainOf(error.regainMinutes)
  return { state: 'retrying', error: wait === undefined ? error : new NotYet(error.message, wait) }
}

/** Brings a campaign to Meta, or what changed of it; goes on where an earlier try stopped. */
export async function pushCampaign(
  services: Services,
  id: number,
  /** Milliseconds for an answer of Meta; the client's own unless told. */
  patience?: number,
): Promise<{ outsideId: string }> {
  const { config, db, clock, storage } = services
  const account = config.meta?.ads
  if (!config.meta || !account) throw new Undeliverable('No ad account is set up here.')
  const lease = randomToken(12)
  if (!(await claimPush(db, id, lease, clock.now())))
    throw new NotYet('Another process brings this campaign to Meta.', 5 * SECOND)
  const save = (change: PushChange) => savePush(db, id, lease, change, clock.now())
  const settle = (change: PushChange, action?: string) =>
    runWork(services, actor, async ({ db: tx, now, audit, live }) => {
      await savePush(tx, id, lease, change, now)
      if (action) audit({ action, subject: 'campaign', subjectId: id, after: change })
      live(CAMPAIGNS_TOPIC, { campaign: id })
    })
  try {
    const campaign = await findCampaignDetail(db, id)
    if (!campaign) throw new Undeliverable('This campaign does not exist.')
    const push = await findPush(db, id)
    const graph = makeGraph(config.meta, patience)
    const outsideId = await walkPush({ campaign, push, graph, account, db, storage, save, now: clock.now() })
    await settle({ state: 'done', step: null, error: null, begun: null }, 'campaign_pushed')
    return { outsideId }
  } catch (error) {
    if (error instanceof LostLease) throw new NotYet(error.message, 5 * SECOND)
    const verdict = verdictOf(error)
    if (!verdict) throw error
    await settle({ state: verdict.state, error: verdict.error.message })
    throw verdict.error
  } finally {
    await releasePush(db, id, lease)
  }
}

const Payload = z.object({ campaignId: z.int().positive() })

/** Carries campaigns to Meta, where an ad account is set up. */
export const adChannel = (services: Services): Channels =>
  services.config.meta?.ads
    ? {
        ad: (payload) => {
          const read = Payload.safeParse(payload)
          if (!read.success) throw new Undeliverable('This message names no campaign.')
          return pushCampaign(services, read.data.campaignId)
        },
      }
    : {}
