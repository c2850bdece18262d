import { readCampaign, readCampaignMedia } from '@limber/contract/marketing/campaigns/campaign.ts'
import { expect, it } from 'vitest'
import { makeMp4 } from '#platform/testing/testing.files.ts'
import { startBehindProxy } from '#platform/testing/testing.proxy.ts'
import { create } from './campaign.testing.ts'

it('a campaign whose commit was not heard of keeps its media, and sent again it is the same', async () => {
  const { server, line, stop } = await startBehindProxy()
  try {
    const marketer = server.as('growth.tab', 'campaigns.create')
    await marketer.worker()
    const film = { name: 'media0', filename: 'film.mp4', content: makeMp4() }
    const send = () => create(marketer, {}, [film], { 'idempotency-key': 'campaign-unheard-1' })
    // The first commit counts the bytes of the file.
    line.loseCommit(2)
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
