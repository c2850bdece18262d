import { readCampaign, readCampaignMedia } from '@limber/contract/marketing/campaigns/campaign.ts'
import { expect, it } from 'vitest'
import { makeMp4 } from '#platform/testing/testing.files.ts'
import { startBehindProxy } from '#platform/testing/testing.proxy.ts'
import { create } from './campaign.testing.ts'

it('keeps media after a lost commit reply, and returns the same campaign on a retry', async () => {
  const { server, proxy, stop } = await startBehindProxy()
  try {
    const marketer = server.as('growth.tab', 'campaigns.create')
    await marketer.worker()
    const video = { name: 'media0', filename: 'video.mp4', content: makeMp4() }
    const send = () => create(marketer, {}, [video], { 'idempotency-key': 'campaign-unheard-1' })
    // The first commit records the uploaded bytes.
    proxy.loseCommit(2)
    expect((await send()).status).toBe(503)
    const again = await send()
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([200, 'true'])
    const params = { id: String(again.body.campaign.id) }
    const { media } = (await marketer.send(readCampaign, { params })).body.campaign
    const name = media[0]?.url.split('/').at(-1) ?? ''
    expect((await marketer.send(readCampaignMedia, { params: { name } })).status).toBe(200)
  } finally {
    await stop()
  }
})
