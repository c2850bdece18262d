import { SECOND, stopwatch } from '#platform/clock.ts'
import type { Db } from '#platform/db/db.ts'
import { RetryLaterError } from '#platform/outbox/outbox.ts'
import type { Storage } from '#platform/storage/storage.ts'
import type { CampaignDetailRow } from '../campaigns/campaign.queries.ts'
import { type AdAccount, type Aim, aimOf, centsOf, MissingSettingError, nameWithMark } from './ad.rules.ts'
import type { KnownValues, Push, PushChange } from './campaign-push.queries.ts'
import { findByMark, idOf } from './find-by-mark.ts'
import { type Graph, MetaFailure } from './meta-graph.ts'
import type { Page } from './meta-page.ts'

/** The context of a push to Meta. */
export interface PushContext {
  campaign: CampaignDetailRow
  push: Push
  /** The values that Meta confirmed. A missing value is unknown: Meta may have another one. */
  told: Partial<KnownValues>
  graph: Graph
  page: Page
  account: AdAccount
  db: Db
  storage: Storage
  now: Date
  /** Saves the progress; throws if the lease is lost. */
  save: (change: PushChange) => Promise<void>
  /** Saves the progress before a request; also throws if someone edited the campaign in the meantime. */
  begin: (change: PushChange) => Promise<void>
  /** Throws if this attempt has used up its time. */
  checkTime: () => void
}

/** An object to create on Meta. */
interface NewObject {
  step: string
  /** Its id, if it already exists. */
  known: string | null
  edge: string
  /** Who creates it; the ad account by default. */
  by?: Page
  fields: Record<string, string>
  /** The updatable values that it sets. */
  sets?: Partial<KnownValues>
  keep: (id: string) => Promise<unknown>
}

/** What all steps of one attempt share. */
export interface PushRun extends PushContext {
  accountPath: string
  /** The name on Meta, with the mark that identifies our objects. */
  name: string
  aim: Aim
  /** Cents per day. */
  dailyBudget: string
  hasForm: boolean
  /** Creates an object exactly once: saves its id right away, and searches for it first if an earlier reply was lost. */
  createOnce: (object: NewObject) => Promise<string>
}

// Well below the lease of two minutes. The next attempt continues with the rest.
const MAX_TIME = 60 * SECOND

/** Limits the time of one attempt. */
export function makeTimeLimit(): () => void {
  const elapsed = stopwatch()
  return () => {
    if (elapsed() > MAX_TIME) throw new RetryLaterError('The upload to Meta is not finished and will continue.', SECOND)
  }
}

/** Starts an attempt; throws if the campaign or the settings lack what every ad needs. */
export function startRun(context: PushContext): PushRun {
  const { campaign, push, told, graph, account, save, begin, checkTime } = context
  const aim = aimOf(campaign.meta_ad_objective ?? 'LEAD_GENERATION', account)
  if (campaign.budget === null || Number(campaign.budget) === 0)
    throw new MetaFailure('rejected', 'Meta requires a daily budget. Edit the campaign and set one.')
  const hasForm = aim.destination_type === 'ON_AD'
  if (hasForm && !account.privacyUrl)
    throw new MissingSettingError('Lead forms require the setting META_PRIVACY_URL. Ask your administrator to set it.')
  // Meta did not create what it rejected, so the campaign can still be corrected.
  const resetOnRejection = async (error: unknown): Promise<never> => {
    if (error instanceof MetaFailure && error.kind !== 'transient' && error.code !== undefined)
      await save({ begun: null })
    throw error
  }
  return {
    ...context,
    accountPath: `act_${account.accountId}`,
    name: nameWithMark(campaign.name, push.mark),
    aim,
    dailyBudget: centsOf(campaign.budget),
    hasForm,
    async createOnce({ step, known, edge, by = graph, fields, sets, keep }) {
      if (known !== null) return known
      checkTime()
      let id = push.begun === step ? await findByMark(by, edge, push.mark) : undefined
      if (id === undefined) {
        // Saved before the request, so that a lost reply cannot hide a created object.
        Object.assign(told, sets)
        await begin({ step, begun: step, told: JSON.stringify(told) })
        id = idOf(await by.post(edge, fields).catch(resetOnRejection))
      }
      await keep(id)
      return id
    },
  }
}
