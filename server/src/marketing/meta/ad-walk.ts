import { SECOND, stopwatch } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { RetryLaterError } from '#platform/outbox/outbox.ts'
import type { Storage } from '#platform/storage/storage.ts'
import type { CampaignDetailRow } from '../campaigns/campaign.queries.ts'
import { type AdAccount, type Aim, aimOf, centsOf, MissingSetting, markedName } from './ad.rules.ts'
import type { Push, PushChange, Told } from './campaign-push.queries.ts'
import { findMarked, idOf } from './find-marked.ts'
import { type Graph, MetaFailure } from './meta-graph.ts'
import type { Page } from './meta-page.ts'

/** A campaign on its way to Meta. */
export interface Pushing {
  campaign: CampaignDetailRow
  push: Push
  /** What Meta knows so far; what is not named here it may not know, or know otherwise. */
  told: Partial<Told>
  graph: Graph
  page: Page
  account: AdAccount
  db: Db
  storage: Storage
  now: Date
  /** Writes how far it came, at once; throws when the campaign is no longer ours to push. */
  save: (change: PushChange) => Promise<void>
  /** The same before something is made or told; throws as well when somebody edited the campaign meanwhile. */
  begin: (change: PushChange) => Promise<void>
  /** Stops when this try has taken its time. */
  pause: () => void
}

/** Something that is made at Meta. */
interface Making {
  step: string
  /** Its number, when it was made before. */
  known: string | null
  edge: string
  /** Who makes it; the account unless told. */
  by?: Page
  fields: Record<string, string>
  /** What Meta knows by it and can be told anew. */
  tells?: Partial<Told>
  keep: (id: string) => Promise<unknown>
}

/** What all steps of one try share. */
export interface Walk extends Pushing {
  act: string
  /** The name at Meta, with the mark by which it is found again. */
  name: string
  aim: Aim
  /** Cents a day. */
  dailyBudget: string
  hasForm: boolean
  /** Makes something at Meta once: its number is kept at once, and whoever lost the answer looks before making another. */
  once: (making: Making) => Promise<string>
}

// Well below the two minutes for which a campaign is ours: what is left goes on with the next try.
const PATIENCE = 60 * SECOND

/** Stops a try that has taken its time. */
export function makePause(): () => void {
  const elapsed = stopwatch()
  return () => {
    if (elapsed() > PATIENCE) throw new RetryLaterError('There is more to bring to Meta; it goes on.', SECOND)
  }
}

/** Sets out; refused when the campaign or the settings lack what every ad needs. */
export function beginWalk(pushing: Pushing): Walk {
  const { campaign, push, told, graph, account, save, begin, pause } = pushing
  const aim = aimOf(campaign.meta_ad_objective ?? 'LEAD_GENERATION', account)
  if (campaign.budget === null || Number(campaign.budget) === 0)
    throw new MetaFailure('rejected', 'Meta needs a daily budget. Edit the campaign and set one.')
  const hasForm = aim.destination_type === 'ON_AD'
  if (hasForm && !account.privacyUrl)
    throw new MissingSetting(
      'Forms of lead ads need the setting META_PRIVACY_URL. Ask whoever runs the server to set it.',
    )
  // What Meta itself refused is not there: whatever is wrong with it may still be mended here.
  const forget = async (error: unknown): Promise<never> => {
    if (error instanceof MetaFailure && error.kind !== 'transient' && error.code !== undefined)
      await save({ begun: null })
    throw error
  }
  return {
    ...pushing,
    act: `act_${account.accountId}`,
    name: markedName(campaign.name, push.mark),
    aim,
    dailyBudget: centsOf(campaign.budget),
    hasForm,
    async once({ step, known, edge, by = graph, fields, tells, keep }) {
      if (known !== null) return known
      pause()
      let id = push.begun === step ? await findMarked(by, edge, push.mark) : undefined
      if (id === undefined) {
        // Before the call: when its answer is lost, it is still known what was made.
        Object.assign(told, tells)
        await begin({ step, begun: step, told: JSON.stringify(told) })
        id = idOf(await by.post(edge, fields).catch(forget))
      }
      await keep(id)
      return id
    },
  }
}
