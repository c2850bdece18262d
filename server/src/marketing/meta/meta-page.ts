import { z } from 'zod'
import { type Clock, HOUR, shift } from '#platform/clock.ts'
import type { Services } from '#platform/services.ts'
import { type Graph, type MetaAccount, MetaFailure, makeGraph } from './meta-graph.ts'

/** The Graph API with the token of the page, which owns forms and lead subscriptions. */
export interface Page extends Pick<Graph, 'get' | 'post'> {
  id: string
}

const Owned = z.object({ access_token: z.string().min(1) })
const Subscriptions = z.object({ data: z.array(z.object({ subscribed_fields: z.array(z.unknown()).default([]) })) })
const Subscribed = z.object({ success: z.literal([true, 'true']) })
const TOKEN_LIFETIME = 1 * HOUR

// Only in memory, because the token grants full access to the page.
const tokens = new WeakMap<MetaAccount, { token: string; until: Date }>()

async function fetchToken(meta: MetaAccount, pageId: string, timeout: number | undefined): Promise<string> {
  const read = Owned.safeParse(await makeGraph(meta, timeout).get(pageId, { fields: 'access_token' }))
  if (read.success) return read.data.access_token
  // Meta omits fields that the token may not read.
  throw new MetaFailure(
    'permission',
    `META_ACCESS_TOKEN has no access to the page ${pageId}. Give it a role on that page.`,
  )
}

/** Opens the page with its own token. If Meta rejects the token, fetches a new one and retries. */
export function openPage(meta: MetaAccount, pageId: string, clock: Clock, timeout?: number): Page {
  const as = (token: string) => makeGraph({ ...meta, accessToken: token }, timeout)

  async function call(say: (graph: Graph) => Promise<unknown>): Promise<unknown> {
    const kept = tokens.get(meta)
    if (kept && kept.until > clock.now()) {
      try {
        return await say(as(kept.token))
      } catch (error) {
        if (!(error instanceof MetaFailure) || error.kind !== 'token') throw error
      }
    }
    const token = await fetchToken(meta, pageId, timeout)
    tokens.set(meta, { token, until: shift(clock.now(), TOKEN_LIFETIME) })
    return say(as(token))
  }

  return {
    id: pageId,
    get: (path, parameters) => call((graph) => graph.get(path, parameters)),
    post: (path, parameters) => call((graph) => graph.post(path, parameters)),
  }
}

/** Subscribes to the leads of a page; idempotent. */
export async function subscribePage(page: Page): Promise<void> {
  const reply = await page.post(`${page.id}/subscribed_apps`, { subscribed_fields: 'leadgen' })
  if (!Subscribed.safeParse(reply).success)
    throw new MetaFailure('rejected', 'Meta did not accept the subscription to leads of the page.')
}

export async function isSubscribed(page: Page): Promise<boolean> {
  const read = Subscriptions.safeParse(await page.get(`${page.id}/subscribed_apps`, { fields: 'id,subscribed_fields' }))
  return read.success && read.data.data.some(({ subscribed_fields: fields }) => fields.includes('leadgen'))
}

/** The page of our campaigns, if one is set up. */
export const pageOf = ({ config, clock }: Pick<Services, 'config' | 'clock'>): Page | undefined =>
  config.meta?.ads && openPage(config.meta, config.meta.ads.pageId, clock)

/** Subscribes even without a campaign, because forms created on Meta bring leads too. */
export async function subscribeToLeads(services: Services): Promise<{ subscribed: boolean }> {
  const page = pageOf(services)
  if (page) await subscribePage(page)
  return { subscribed: page !== undefined }
}
