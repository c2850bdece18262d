import { pluralize } from '@limber/contract/kit/formats/numbers.ts'
import type { Services } from '#platform/services.ts'
import type { Probe, ProbeResult } from '#platform/telemetry/health.ts'
import { countPushes } from './campaign-push.queries.ts'
import { countLeadgens } from './meta.queries.ts'
import { type MetaAccount, MetaFailure, makeGraph } from './meta-graph.ts'
import { isSubscribed, pageOf } from './meta-page.ts'

/** Why leads of our page do not arrive; undefined if they do, or if no page is set up. */
async function pageFault(services: Pick<Services, 'config' | 'clock'>): Promise<string | undefined> {
  const page = pageOf(services)
  try {
    return !page || (await isSubscribed(page)) ? undefined : 'not subscribed; retried every hour'
  } catch (error) {
    if (error instanceof MetaFailure) return error.message
    throw error
  }
}

const fetchAccount = (meta: MetaAccount) =>
  makeGraph(meta).get('me', { fields: 'id,name' }) as Promise<{ id?: unknown; name?: unknown }>

/** Checks the Meta account, delayed leads and failed campaigns. */
export const adsProbe: Probe = {
  name: 'ads',
  title: 'Ads',
  timeout: 12_000,
  async check(services): Promise<ProbeResult> {
    const { config, db } = services
    if (!config.meta)
      return {
        status: 'not_connected',
        summary: 'No ad account is set up. Campaigns are not sent, and no ad leads arrive.',
      }
    const [me, fault] = await Promise.all([fetchAccount(config.meta), pageFault(services)])
    const counts = await countLeadgens(db)
    const pushes = await countPushes(db)
    const facts = [
      { label: 'Account', value: String(me.name ?? me.id ?? 'unknown') },
      { label: 'Graph API', value: config.meta.version },
      { label: 'Leads to fetch', value: String(counts?.waiting ?? 0) },
      {
        label: 'Campaigns',
        value: config.meta.ads ? `account ${config.meta.ads.accountId}` : 'not sent: no ad account',
      },
      { label: 'Campaigns to send', value: String(pushes?.open ?? 0) },
      ...(counts?.last_at ? [{ label: 'Last lead notification', value: counts.last_at.toISOString() }] : []),
    ]
    if (counts && counts.held_up > 0)
      return { status: 'warning', summary: `${pluralize(counts.held_up, 'ad lead')} waiting: ${counts.error}`, facts }
    if (pushes && pushes.failed > 0)
      return {
        status: 'warning',
        summary: `${pluralize(pushes.failed, 'campaign')} failed to send: ${pushes.error}`,
        facts,
      }
    if (fault) return { status: 'warning', summary: `Leads of our page do not arrive: ${fault}`, facts }
    return { status: 'ok', summary: 'The ad account responds.', facts }
  },
}
