// @module-tag slow
import { createServer, type Server } from 'node:net'
import { uploadAsset } from '@limber/contract/training/assets/asset.ts'
import { updateCourseTheme } from '@limber/contract/training/courses/course.ts'
import { createLesson, getLesson } from '@limber/contract/training/lessons/lesson.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendForm } from '#platform/testing/testing.form.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCourse, makeModule } from '../training.factory.ts'

let server: TestServer
let author: TestCaller
let listener: Server
let port: number
let visits = 0

beforeAll(async () => {
  // Listens on every address of this machine, so that a request to any form of an address is noticed.
  listener = createServer((socket) => {
    visits++
    socket.destroy()
  })
  await new Promise<void>((ready) => listener.listen(0, '::', ready))
  const address = listener.address()
  port = typeof address === 'object' && address ? address.port : 0
  server = await startTestServer({ env: { TRAINING_MEDIA_HOSTS: 'media.example.com' } })
  author = server.as('training.manage')
  await makeModule(server.db, { course_id: (await makeCourse(server.db, { course_key: 'c' })).id, module_key: 'm' })
})
afterAll(async () => {
  await server.stop()
  listener.close()
})

const hosts = [
  ...['127.0.0.1', 'localhost', '[::1]', '0.0.0.0', '[::]', '[::ffff:127.0.0.1]', '2130706433', '0177.0.0.1'],
  ...['0x7f000001', '127.1', '169.254.169.254', 'media.example.com@127.0.0.1', '127.0.0.1.nip.io'],
]
const addresses = hosts.flatMap((host) => ['http', 'https'].map((scheme) => ({ scheme, host })))

let serial = 0
async function save(content_type: string, content_data: object) {
  const key = `lesson-${++serial}`
  const body = { course_key: 'c', module_key: 'm', lesson_key: key, title: key, content_type, content_data }
  const reply = await author.send(createLesson, { body: body as never })
  if (reply.status === 200)
    expect((await author.send(getLesson, { body: { lesson_id: reply.body.data.id } })).status).toBe(200)
  return reply
}

const ours = '/api/training/files/00000000000000000000000000.mp4'

/** Every lesson field that takes a file URL, filled with this URL. */
const saveFields = async (url: string) => [
  await save('video', { url }),
  await save('video', { url: ours, thumbnail: url }),
  await save('video', { url: ours, subtitles: [{ label: 'English', language: 'en', url }] }),
  await save('audio', { url }),
  await save('document', { url }),
  await save('interactive', { gameType: 'flashcards', gameData: { cards: [{ front: 'a', back: 'b', image: url }] } }),
  await save('mixed', { components: [{ type: 'video', content: { url } }] }),
]

it('X4 accepts uploaded files and the hosts in the settings, without requesting them', async () => {
  for (const url of [ours, 'https://media.example.com/x.png'])
    expect((await saveFields(url)).map(({ status }) => status)).toEqual(Array(7).fill(200))
})

it.each(addresses)('X4 never requests $scheme://$host, wherever an author writes it', async ({ scheme, host }) => {
  const url = `${scheme}://${host}:${port}/x.png`
  const fields = await saveFields(url)
  expect(fields.map(({ status }) => status).filter((status) => status !== 400 && status !== 422)).toEqual([])
  const html = await save('text', {
    trainingLessonContent: `<img src="${url}"> <video poster="${url}" src="${url}"></video>`,
    formatting: 'rich_text',
    allowHtml: true,
  })
  expect(html.text).not.toContain(`${host}:${port}`)
  await save('text', { trainingLessonContent: `![a](${url})`, trainingStylesheet: `p { background: url(${url}) }` })
  await author.send(updateCourseTheme, { body: { course_key: 'c', theme: { fontFamily: `url(${url})` } } as never })
  await sendForm(author, uploadAsset, [
    { name: 'course_key', content: 'c' },
    {
      name: 'file',
      filename: 'a.vtt',
      content: `WEBVTT\n\nSTYLE\n::cue { background: url(${url}) }\n\n00:01.000 --> 00:02.000\n${url}`,
    },
  ])
  expect(visits).toBe(0)
})

it('X4 would notice a request', async () => {
  await fetch(`http://127.0.0.1:${port}/`).catch(() => {})
  expect(visits).toBe(1)
})
