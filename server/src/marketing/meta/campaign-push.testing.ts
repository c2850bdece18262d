import { readCampaign } from '@limber/contract/marketing/campaigns/campaign.ts'
import sharp from 'sharp'
import { expect } from 'vitest'
import type { Part } from '#platform/testing/testing.form.ts'
import { eventually, startTestServer } from '#platform/testing/testing.ts'
import { create } from '../campaigns/campaign.testing.ts'
import type { AdStep } from './ads.testing.ts'
import { startTestGraph } from './meta.testing.ts'

const once = ['campaigns', 'adsets', 'leadgen_forms', 'adcreatives', 'ads'] as const

/** A server with an ad account, a fake Graph API, and a caller who creates campaigns. */
export async function openPushes() {
  const graph = await startTestGraph()
  const server = await startTestServer({ env: { ...graph.env, ...graph.adEnv } })
  const maker = server.as('growth.tab', 'campaigns.create', 'campaigns.edit')
  const picture = sharp({ create: { width: 60, height: 40, channels: 3, background: '#2a7' } })
  const image: Part = { name: 'media0', filename: 'winter.png', content: await picture.png().toBuffer() }

  const paramsOf = (id: number) => ({ params: { id: String(id) } })
  const read = async (id: number) => (await maker.send(readCampaign, paramsOf(id))).body.campaign
  const made = (kind: AdStep) => graph.ads.of(kind)

  return {
    graph,
    maker,
    paramsOf,
    read,
    made,
    server: {
      ...server,
      stop: async () => {
        await server.stop()
        await graph.close()
      },
    },
    counts: () => once.map((kind) => made(kind).length),
    json: (text: string | undefined) => JSON.parse(text ?? 'null') as Record<string, unknown>,

    deliveryOf: (id: number) =>
      server.db
        .selectFrom('outbox')
        .select(['state', 'tries', 'last_error', 'next_try_at', 'outside_id'])
        .where('key', 'like', `campaign:${id}:%`)
        .orderBy('id', 'desc')
        .executeTakeFirst(),

    /** Delivers waiting messages without their delay until the campaign is in this state. */
    until: (id: number, state: string) =>
      eventually(async () => {
        // A failed try that is repeated at once would not be seen.
        if (state !== 'retrying')
          await server.db
            .updateTable('outbox')
            .set({ next_try_at: server.clock.now() })
            .where('state', '=', 'waiting')
            .where('leased_until', 'is', null)
            .execute()
        await server.running.courier.run()
        const campaign = await read(id)
        return campaign.push.state === state && campaign
      }),

    make: async (over: Record<string, string | undefined> = {}, files: readonly Part[] = [image]) => {
      const { status, body } = await create(maker, over, files)
      expect(status).toBe(200)
      return body.campaign.id
    },
  }
}
