import { z } from 'zod'
import { type Clock, HOUR, shift } from '#platform/clock.ts'
import type { Services } from '#platform/services.ts'
import { type Graph, type MetaAccount, MetaFailure, makeGraph } from './meta-graph.ts'

/** The Graph API as the page sees it: forms are made by the page, and the page says who hears of its leads. */
export interface Page extends Pick<Graph, 'get' | 'post'> {
  id: string
}

const Owned = z.object({ access_token: z.string().min(1) })
const Subscriptions = z.object({ data: z.array(z.object({ subscribed_fields: z.array(z.unknown()).default([]) })) })
const Subscribed = z.object({ success: z.literal([true, 'true']) })
const KEPT = 1 * HOUR

// In memory and nowhere else: whoever has it speaks for the page.
const tokens = new WeakMap<MetaAccount, { token: string; until: Date }>()

async function fetchToken(meta: MetaAccount, pageId: string, patience: number | undefined): Promise<string> {
  const read = Owned.safeParse(await makeGraph(meta, patience).get(pageId, { fields: 'access_token' }))
  if (read.success) return read.data.access_token
  // Meta leaves out what the token may not see.
  throw new MetaFailure('permission', `META_ACCESS_TOKEN may not speak for the page ${pageId}: it needs a role there.`)
}

/** Opens the page with a token of its own. One that Meta no longer takes is fetched anew, and the call made again. */
export function openPage(meta: MetaAccount, pageId: string, clock: Clock, patience?: number): Page {
  const as = (token: string) => makeGraph({ ...meta, accessToken: token }, patience)

  async function call(say: (graph: Graph) => Promise<unknown>): Promise<unknown> {
    const kept = tokens.get(meta)
    if (kept && kept.until > clock.now()) {
      try {
        return await say(as(kept.token))
      } catch (error) {
        if (!(error instanceof MetaFailure) || error.kind !== 'token') throw error
      }
    }
    const token = await fetchToken(meta, pageId, patience)
    tokens.set(meta, { token, until: shift(clock.now(), KEPT) })
    return say(as(token))
  }

  return {
    id: pageId,
    get: (path, parameters) => call((graph) => graph.get(path, parameters)),
    post: (path, parameters) => call((graph) => graph.post(path, parameters)),
  }
}

/** Has Meta announce the leads of a page to us. Asked twice, it means the same. */
export async function subscribePage(page: Page): Promise<void> {
  const reply = await page.post(`${page.id}/subscribed_apps`, { subscribed_fields: 'leadgen' })
  if (!Subscribed.safeParse(reply).success)
    throw new MetaFailure('rejected', 'Meta does not announce the leads of the page to us.')
}

/** Does Meta announce the leads of a page to anybody? */
export async function isSubscribed(page: Page): Promise<boolean> {
  const read = Subscriptions.safeParse(await page.get(`${page.id}/subscribed_apps`, { fields: 'id,subscribed_fields' }))
  return read.success && read.data.data.some(({ subscribed_fields: fields }) => fields.includes('leadgen'))
}

/** The page that campaigns speak for, where one is set up. */
export const pageOf = ({ config, clock }: Pick<Services, 'config' | 'clock'>): Page | undefined =>
  config.meta?.ads && openPage(config.meta, config.meta.ads.pageId, clock)

/** Also forms that were made at Meta by hand bring leads: the page is asked without waiting for a campaign. */
export async function askForLeads(services: Services): Promise<{ subscribed: boolean }> {
  const page = pageOf(services)
  if (page) await subscribePage(page)
  return { subscribed: page !== undefined }
}
