import { readFile, uploadAsset } from '@limber/contract/training/assets/asset.ts'
import { expect, it } from 'vitest'
import { makePdf } from '#platform/testing/testing.files.ts'
import { sendForm } from '#platform/testing/testing.form.ts'
import { startBehindProxy } from '#platform/testing/testing.proxy.ts'
import { makeCourse } from '../training.factory.ts'

it('keeps the file of an upload whose commit reply was lost, and returns it when the upload is repeated', async () => {
  const { server, proxy, stop } = await startBehindProxy()
  try {
    await makeCourse(server.db, { course_key: 'media' })
    const author = server.as('training.manage')
    await author.worker()
    const parts = [
      { name: 'course_key', content: 'media' },
      { name: 'file', filename: 'sheet.pdf', content: makePdf() },
    ]
    const send = () => sendForm(author, uploadAsset, parts, { 'idempotency-key': 'upload-unheard-1' })
    // The first commit counts the bytes of the file.
    proxy.loseCommit(2)
    expect((await send()).status).toBe(503)
    const again = await send()
    expect([again.status, again.headers.get('idempotent-replay')]).toEqual([200, 'true'])
    const name = again.body.asset.url.split('/').at(-1) ?? ''
    expect((await author.send(readFile, { params: { name } })).status).toBe(200)
  } finally {
    await stop()
  }
})
