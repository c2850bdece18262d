// @module-tag slow
import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import {
  bulkUploadAssets,
  deleteAsset,
  listAssets,
  readAssetUsage,
  readFile,
  uploadAsset,
} from '@limber/contract/training/assets/asset.ts'
import { deleteCourse } from '@limber/contract/training/courses/course.ts'
import { createLesson, deleteLesson, putLesson } from '@limber/contract/training/lessons/lesson.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DAY } from '#platform/clock.ts'
import { makeMp3, makeMp4, makeOgg, makePdf, makeWav, makeWebm } from '#platform/testing/testing.files.ts'
import { formBody, type Part, sendForm } from '#platform/testing/testing.form.ts'
import {
  eventually,
  startTestServer,
  TEST_ORIGIN,
  type TestCaller,
  type TestServer,
} from '#platform/testing/testing.ts'
import { makeCourse, makeLesson, makeModule } from '../training.factory.ts'
import { sweepFiles, trainingJobs } from '../training.jobs.ts'

let server: TestServer
let author: TestCaller
let png: Buffer
let jpeg: Buffer
beforeAll(async () => {
  server = await startTestServer()
  author = server.as('training.manage')
  const blank = sharp({ create: { width: 60, height: 40, channels: 3, background: '#4299e1' } })
  png = await blank.clone().png().toBuffer()
  jpeg = await blank
    .clone()
    .withExif({ IFD0: { Artist: 'CANARY-ARTIST', Copyright: '<script>alert(1)</script>' } })
    .jpeg()
    .toBuffer()
  await makeCourse(server.db, { course_key: 'media' })
})
afterAll(() => server.stop())

const upload = (
  content: Buffer | string,
  filename = 'file.bin',
  more: Part[] = [{ name: 'course_key', content: 'media' }],
) => sendForm(author, uploadAsset, [...more, { name: 'file', filename, content }])
const SUBTITLES = `WEBVTT

NOTE From the studio

1
00:01.000 --> 00:04.000 line:85%
Breathe out.

00:00:05.000 --> 00:00:09.500
<v Ines>Hold the heel.
`
const nameOf = (url: string) => url.split('/').at(-1) ?? ''
const fetchFile = (url: string, headers: Record<string, string> = {}, query = {}) =>
  author.send(readFile, { params: { name: nameOf(url) }, query }, { headers })
const stored = async () => {
  const { storage } = server.running.services
  const keys: string[] = []
  for await (const { key } of storage.list('training/')) keys.push(key)
  return keys
}
const onDisk = () => readdir(`${server.running.services.config.storagePath}/training`)
const runJobs = async () => {
  const { keyring } = server.running.services
  const waiting = await server.db
    .selectFrom('outbox')
    .select(['id', 'payload'])
    .where('channel', '=', 'job')
    .where('state', '=', 'waiting')
    .execute()
  for (const { id, payload } of waiting) {
    const { name, data } = JSON.parse(keyring.open('outbox', payload))
    await trainingJobs.find((job) => job.name === name)?.run(server.running.services, data)
    await server.db.updateTable('outbox').set({ state: 'sent' }).where('id', '=', id).execute()
  }
}

describe('POST /api/training/assets/upload', () => {
  it.each([
    ['video.mp4', () => makeMp4(), 'video', { mimeType: 'video/mp4', duration: 90, width: 640, height: 360 }],
    ['video.webm', () => makeWebm(), 'video', { mimeType: 'video/webm', duration: 4 }],
    ['audio.mp3', () => makeMp3(), 'audio', { mimeType: 'audio/mpeg', duration: 2.606 }],
    ['audio.wav', () => makeWav(), 'audio', { mimeType: 'audio/wav', duration: 2 }],
    ['stopped.wav', () => makeWav(2).fill(0, 4, 8).fill(0, 40, 44), 'audio', { mimeType: 'audio/wav', duration: 2 }],
    ['audio.ogg', () => makeOgg(), 'audio', { mimeType: 'audio/ogg', duration: 3 }],
    ['sheet.pdf', () => makePdf(7), 'document', { mimeType: 'application/pdf', pages: 7 }],
    ['notes.md', () => Buffer.from('# Hips\n\nBreathe out & <b>hold</b>.'), 'document', { mimeType: 'text/plain' }],
    ['notes.TXT', () => Buffer.from('\ufeffgrüße'), 'document', { mimeType: 'text/plain' }],
    ['hips.en.vtt', () => Buffer.from(SUBTITLES), 'other', { mimeType: 'text/vtt' }],
    ['image.png', () => png, 'image', { mimeType: 'image/png', width: 60, height: 40 }],
    ['image.jpg', () => jpeg, 'image', { mimeType: 'image/jpeg', width: 60, height: 40 }],
  ])('stores %s and detects its type', async (filename, content, type, metadata) => {
    const reply = await upload(content(), filename)
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body).toMatchObject({
      success: true,
      asset: { type, filename, course_key: 'media', metadata: { quality: 'high', ...metadata } },
    })
    const file = await fetchFile(reply.body.asset.url)
    expect(file.status).toBe(200)
    expect(file.headers.get('content-type')).toContain(metadata.mimeType)
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    expect(file.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(file.headers.get('content-disposition')).toMatch(/document|other/.test(type) ? /^attachment;/ : /^inline;/)
    expect(Number(file.headers.get('content-length'))).toBe(reply.body.asset.metadata.finalSize)
  })
  it('re-encodes images, so that nothing hidden in them is left', async () => {
    expect(jpeg.includes('CANARY-ARTIST')).toBe(true)
    const { asset } = (
      await upload(
        Buffer.concat([jpeg, Buffer.from('<?php system($_GET[0]); ?><script>alert(1)</script>')]),
        'x.php.jpg',
      )
    ).body
    const { text } = await fetchFile(asset.url)
    for (const hidden of ['CANARY', 'script', 'php']) expect(text).not.toContain(hidden)
  })
  it('detects subtitles by content, whatever their name, and removes their styles', async () => {
    const styled = SUBTITLES.replace('\n\n', '\n\nSTYLE\n::cue { background: url(https://evil.example/x) }\n\n')
    const { asset } = (await upload(`\ufeff${styled.replaceAll('\n', '\r\n')}`, 'hips.txt')).body
    expect([asset.type, asset.metadata.mimeType]).toEqual(['other', 'text/vtt'])
    expect(asset.url).toMatch(/\.vtt$/)
    expect((await fetchFile(asset.url)).text).toBe(SUBTITLES)
  })
  it('shrinks images by quality', async () => {
    const large = await sharp({ create: { width: 3000, height: 1000, channels: 3, background: '#123456' } })
      .png()
      .toBuffer()
    const width = async (quality: string) => {
      const reply = await upload(large, 'x.png', [
        { name: 'course_key', content: 'media' },
        { name: 'quality', content: quality },
      ])
      return reply.body.asset.metadata.width
    }
    expect([await width('low'), await width('medium'), await width('high')]).toEqual([1280, 1920, 2560])
  })
  it.each([
    [[{ name: 'file', filename: 'a.md', content: 'x' }], 400, 'bad_field'],
    [
      [
        { name: 'course_key', content: '' },
        { name: 'file', filename: 'a.md', content: 'x' },
      ],
      400,
      'bad_field',
    ],
    [
      [
        { name: 'course_key', content: 'media' },
        { name: 'file', filename: 'a.md', content: 'x' },
        { name: 'file', filename: 'b.md', content: 'x' },
      ],
      400,
      'one_file',
    ],
    [
      [
        { name: 'course_key', content: 'nowhere' },
        { name: 'file', filename: 'a.md', content: 'x' },
      ],
      404,
      'no_course',
    ],
    [
      [
        { name: 'course_key', content: 'media' },
        { name: 'lesson_id', content: '999999' },
        { name: 'file', filename: 'a.md', content: 'x' },
      ],
      404,
      'no_lesson',
    ],
    [
      [
        { name: 'course_key', content: 'media' },
        { name: 'lesson_id', content: 'x' },
        { name: 'file', filename: 'a.md', content: 'x' },
      ],
      400,
      'bad_field',
    ],
    [
      [
        { name: 'course_key', content: 'media' },
        { name: 'quality', content: 'ultra' },
        { name: 'file', filename: 'a.md', content: 'x' },
      ],
      400,
      'bad_field',
    ],
    [
      [
        { name: 'course_key', content: 'media' },
        { name: 'isAdmin', content: '1' },
        { name: 'file', filename: 'a.md', content: 'x' },
      ],
      400,
      'bad_field',
    ],
    [[{ name: 'course_key', content: 'media' }], 400, 'no_file'],
    [
      [
        { name: 'course_key', content: 'media' },
        { name: 'picture', filename: 'a.md', content: 'x' },
      ],
      400,
      'malformed',
    ],
    [
      [
        { name: 'course_key', content: 'media' },
        { name: 'course_key', content: 'media' },
        { name: 'file', filename: 'a.md', content: 'x' },
      ],
      400,
      'malformed',
    ],
    [
      [
        { name: 'file', filename: 'a.md', content: 'x' },
        { name: 'course_key', content: 'x'.repeat(2000) },
      ],
      400,
      'malformed',
    ],
    [Array.from({ length: 40 }, (_, n) => ({ name: `f${n}`, content: 'x' })), 400, 'malformed'],
  ] as [Part[], number, string][])('refuses the form %#, and stores no file', async (parts, status, code) => {
    const before = await stored()
    const reply = await sendForm(author, uploadAsset, parts)
    expect([reply.status, reply.failure.code]).toEqual([status, code])
    expect(await stored()).toEqual(before)
  })
  it('returns the same file for a repeated idempotency key, and refuses the key for another file', async () => {
    const parts = [
      { name: 'course_key', content: 'media' },
      { name: 'file', filename: 'twice.png', content: png },
    ]
    const headers = { 'idempotency-key': 'upload-once' }
    const first = await sendForm(author, uploadAsset, parts, headers)
    const files = await stored()
    const again = await sendForm(author, uploadAsset, parts, headers)
    expect([again.text, again.headers.get('idempotent-replay')]).toEqual([first.text, 'true'])
    const other = await sendForm(author, uploadAsset, [parts[0], { ...parts[1], content: jpeg }] as Part[], headers)
    expect(other).toMatchObject({ status: 422, failure: { code: 'key_reused' } })
    expect(await stored()).toEqual(files)
  })

  it('accepts fields after the file', async () => {
    const reply = await sendForm(author, uploadAsset, [
      { name: 'file', filename: 'a.md', content: 'x' },
      { name: 'course_key', content: 'media' },
    ])
    expect(reply.status, reply.text).toBe(200)
  })
  it('requires the training permission before it reads a byte', async () => {
    const reply = await sendForm(server.as('growth.tab'), uploadAsset, [
      { name: 'file', filename: 'a.md', content: 'x' },
    ])
    expect(reply.status).toBe(403)
    expect((await author.send(uploadAsset, {}, { rawBody: '{}' })).status).toBe(415)
  })
  const sentBefore = async (caller: TestCaller, bytes: number) => {
    const { id } = await caller.worker()
    await server.db.insertInto('worker_uploads').values({ worker_id: id, bytes, sent_at: server.clock.now() }).execute()
  }
  const send = (caller: TestCaller, content: string) =>
    sendForm(caller, uploadAsset, [
      { name: 'course_key', content: 'media' },
      { name: 'file', filename: 'a.md', content },
    ])
  it('counts the bytes a worker uploads in a day', async () => {
    const busy = server.as('training.manage')
    await sentBefore(busy, 5 * 1024 ** 3)
    const reply = await send(busy, 'x')
    expect([reply.status, reply.failure.code]).toEqual([429, 'quota'])
  })
  it('still counts deleted files', async () => {
    const busy = server.as('training.manage')
    await sentBefore(busy, 5 * 1024 ** 3 - 15_000)
    const kept = await send(busy, 'x'.repeat(10_000))
    expect(kept.status).toBe(200)
    await busy.send(deleteAsset, { body: { asset_id: kept.body.asset.id } })
    expect((await send(busy, 'x'.repeat(10_000))).status).toBe(429)
  })
  it('counts a form of unknown length while it arrives, and stops it at the daily limit', async () => {
    const busy = server.as('training.manage')
    const MB = 1024 ** 2
    await sentBefore(busy, 5 * 1024 ** 3 - 20 * MB)
    const { id, token, csrf } = await busy.worker()
    const content = makeMp4({ bytes: 40 * MB })
    const { rawBody, headers } = formBody([
      { name: 'course_key', content: 'media' },
      { name: 'file', filename: 'a.mp4', content },
    ])
    const counted = async () => {
      const rows = await server.db.selectFrom('worker_uploads').select('bytes').where('worker_id', '=', id).execute()
      return rows.reduce((sum, { bytes }) => sum + Number(bytes), 0) - (5 * 1024 ** 3 - 20 * MB)
    }
    const before = await onDisk()
    const request = httpRequest(`${server.url}${uploadAsset.path}`, {
      method: 'POST',
      headers: { ...headers, cookie: `sid=${token}`, 'x-csrf-token': csrf, origin: TEST_ORIGIN },
    })
    const status = new Promise((done) =>
      request.on('response', (reply) => done(reply.resume().statusCode)).on('error', () => {}),
    )
    request.write(rawBody.subarray(0, 12 * MB))
    // Only half of it has been sent, and it already counts.
    await eventually(async () => (await counted()) >= 8 * MB)
    request.write(rawBody.subarray(12 * MB))
    expect(await status).toBe(429)
    request.destroy()
    expect(await counted()).toBeLessThan(40 * MB)
    expect(await onDisk()).toEqual(before)
  })
  it('counts concurrent uploads: of ten that would each fit, two are stored', async () => {
    const busy = server.as('training.manage')
    await sentBefore(busy, 5 * 1024 ** 3 - 25_000)
    const replies = await Promise.all(Array.from({ length: 10 }, () => send(busy, 'x'.repeat(10_000))))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, ...Array(8).fill(429)])
  })
})

describe('an aborted upload', () => {
  it('leaves nothing behind', async () => {
    const before = await onDisk()
    const { token, csrf } = await author.worker()
    const { rawBody, headers } = formBody([
      { name: 'course_key', content: 'media' },
      { name: 'file', filename: 'a.mp4', content: makeMp4({ bytes: 400_000 }) },
    ])
    const socket = connect(Number(new URL(server.url).port), 'localhost')
    socket.write(
      `POST /api/training/assets/upload HTTP/1.1\r\nhost: localhost\r\ncookie: sid=${token}\r\norigin: ${TEST_ORIGIN}\r\nx-csrf-token: ${csrf}\r\ncontent-type: ${headers['content-type']}\r\ncontent-length: ${rawBody.length}\r\n\r\n`,
    )
    socket.write(rawBody.subarray(0, 300_000))
    await eventually(async () => (await onDisk()).length > before.length)
    socket.destroy()
    await eventually(async () => (await onDisk()).length === before.length)
  })
})

describe('POST /api/training/assets/bulk-upload', () => {
  it('reports each file: valid files are stored, the others are named', async () => {
    const reply = await sendForm(author, bulkUploadAssets, [
      { name: 'files', filename: 'a.png', content: png },
      { name: 'files', filename: 'b.exe', content: Buffer.from('MZ\u0090\u0000') },
      { name: 'files', filename: 'c.mp3', content: makeMp3() },
      { name: 'files', filename: 'd.png', content: png.subarray(0, 60) },
    ])
    expect(reply.status, reply.text).toBe(200)
    expect(reply.body.success).toBe(false)
    expect(reply.body.assets.map(({ filename }) => filename)).toEqual(['a.png', 'c.mp3'])
    expect(reply.body.results.map(({ filename, success }) => [filename, success])).toEqual([
      ['a.png', true],
      ['b.exe', false],
      ['c.mp3', true],
      ['d.png', false],
    ])
    expect(reply.body.error).toMatch(/^b\.exe: This file type is not supported\..* d\.png: The file is damaged/)
  })
  it('accepts twenty files and not one more', async () => {
    const files = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ name: 'files', filename: `${n}.md`, content: `file ${n}` }))
    expect((await sendForm(author, bulkUploadAssets, files(20))).body.assets).toHaveLength(20)
    const before = await stored()
    const reply = await sendForm(author, bulkUploadAssets, files(21))
    expect([reply.status, reply.failure.code]).toEqual([413, 'too_many_files'])
    expect(await stored()).toEqual(before)
  })
})

describe('GET /api/training/files/{name}', () => {
  it('serves ranges for players', async () => {
    const wav = makeWav(1)
    const { asset } = (await upload(wav, 'a.wav')).body
    const part = await fetchFile(asset.url, { range: 'bytes=0-3' })
    expect([part.status, part.text, part.headers.get('content-range')]).toEqual([
      206,
      'RIFF',
      `bytes 0-3/${wav.length}`,
    ])
    const tail = await fetchFile(asset.url, { range: `bytes=${wav.length - 10}-` })
    expect([tail.status, tail.headers.get('content-length')]).toEqual([206, '10'])
    expect((await fetchFile(asset.url, { range: 'bytes=-5' })).headers.get('content-length')).toBe('5')
    const past = await fetchFile(asset.url, { range: `bytes=${wav.length}-` })
    expect([past.status, past.headers.get('content-range')]).toEqual([416, `bytes */${wav.length}`])
    for (const odd of ['bytes=5-2', 'items=0-1', 'bytes=0-1,3-4', 'bytes=-', 'bytes=a-b'])
      expect((await fetchFile(asset.url, { range: odd })).status).toBe(200)
  })
  it('offers a file as a download under its original name', async () => {
    const { asset } = (await upload(png, 'Hüfte (1).png')).body
    const file = await fetchFile(asset.url, {}, { download: '1' })
    expect(file.headers.get('content-disposition')).toMatch(
      /^attachment; filename="H_fte [^"]*"; filename\*=UTF-8''H%C3%BCfte/,
    )
  })
  it('requires the training permission and the full file name', async () => {
    const { asset } = (await upload(png, 'a.png')).body
    expect((await server.anonymous().send(readFile, { params: { name: nameOf(asset.url) } })).status).toBe(401)
    expect((await server.as('growth.tab').send(readFile, { params: { name: nameOf(asset.url) } })).status).toBe(403)
    for (const name of [`${'z'.repeat(26)}.png`, nameOf(asset.url).replace('.png', '.gif')])
      expect((await author.send(readFile, { params: { name } })).status).toBe(404)
    for (const name of ['..%2f..%2fetc%2fpasswd', 'a.png', `${nameOf(asset.url)}.bak`])
      expect(
        (
          await fetch(`${server.url}/api/training/files/${name}`, {
            headers: { cookie: `sid=${(await author.worker()).token}` },
          })
        ).status,
      ).toBe(400)
  })
})

describe('POST /api/training/assets/list, usage and delete', () => {
  const lessonWith = async (url: string) =>
    (
      await author.send(createLesson, {
        body: {
          course_key: 'media',
          module_key: 'one',
          lesson_key: `l${Math.random()}`.replace('.', ''),
          title: 'Shows it',
          content_type: 'text',
          content_data: { trainingLessonContent: `![](${url})` },
        } as never,
      })
    ).body.data
  beforeAll(async () => {
    const course = await server.db
      .selectFrom('training_courses')
      .select('id')
      .where('course_key', '=', 'media')
      .executeTakeFirstOrThrow()
    await makeModule(server.db, { course_id: course.id, module_key: 'one' })
  })
  it('lists where a file is used, follows changes, and warns before deleting it', async () => {
    const { asset } = (await upload(png, 'used.png')).body
    const lesson = await lessonWith(asset.url)
    const uses = async () => (await author.send(readAssetUsage, { body: { asset_id: asset.id } })).body.data
    expect(await uses()).toMatchObject([
      { lesson_id: lesson.id, lesson_title: 'Shows It', course_key: 'media', isLive: false },
    ])
    const found = (await author.send(listAssets, { body: { search: 'used.png' } })).body
    expect(found).toMatchObject({ success: true, assets: [{ id: asset.id, usedIn: 1 }], pagination: { totalItems: 1 } })
    expect((await author.send(listAssets, { body: { lesson_id: lesson.id } })).body.assets.map(({ id }) => id)).toEqual(
      [asset.id],
    )
    const warned = await author.send(deleteAsset, { body: { asset_id: asset.id } })
    expect([warned.status, warned.failure.message]).toEqual([
      409,
      'This file is used in 1 lesson. Deleting it breaks those places.',
    ])
    await author.send(putLesson, {
      params: { id: String(lesson.id) },
      body: { ...lesson, content_data: { trainingLessonContent: 'gone' } } as never,
    })
    expect(await uses()).toEqual([])
    expect((await author.send(deleteAsset, { body: { asset_id: asset.id } })).status).toBe(200)
    expect(await stored()).toContain(`training/${nameOf(asset.url)}`)
    await runJobs()
    expect(await stored()).not.toContain(`training/${nameOf(asset.url)}`)
    expect((await fetchFile(asset.url)).status).toBe(404)
    expect((await author.send(deleteAsset, { body: { asset_id: asset.id } })).status).toBe(404)
  })
  it('deletes a file in use if the caller confirms it', async () => {
    const { asset } = (await upload(png, 'forced.png')).body
    await lessonWith(asset.url)
    const reply = await author.send(deleteAsset, { body: { asset_id: asset.id, even_if_used: true } })
    expect(reply.body.data).toEqual({ asset_id: asset.id, usedIn: 1 })
  })
  it('lists by course and type, one page at a time, and requires the permission', async () => {
    const videos = (await author.send(listAssets, { body: { course_key: 'media', type: 'video', limit: 1 } })).body
    expect(videos.assets).toHaveLength(1)
    expect(videos.pagination.totalItems).toBeGreaterThan(1)
    expect((await author.send(listAssets)).status).toBe(200)
    expect((await server.as('growth.tab').send(listAssets, { body: {} })).status).toBe(403)
  })
  it('deletes a file with its lesson, unless another lesson uses it', async () => {
    const owner = await makeLesson(server.db, { course_id: (await makeCourse(server.db, { course_key: 'owner' })).id })
    const fields = [
      { name: 'course_key', content: 'owner' },
      { name: 'lesson_id', content: String(owner.id) },
    ]
    const own = (await upload(png, 'own.png', fields)).body.asset
    const shared = (await upload(png, 'shared.png', fields)).body.asset
    expect(own.lesson_id).toBe(owner.id)
    await lessonWith(shared.url)
    const reply = await author.send(deleteLesson, { body: { lesson_id: owner.id } })
    expect(reply.body.data.deleted.assets).toBe(1)
    expect((await fetchFile(own.url)).status).toBe(404)
    expect((await fetchFile(shared.url)).status).toBe(200)
    await author.send(deleteCourse, { body: { course_key: 'owner' } })
    await runJobs()
    expect((await fetchFile(shared.url)).status).toBe(404)
  })
})

describe('the file sweep', () => {
  it('deletes files without a record after a day, and nothing else', async () => {
    const { storage } = server.running.services
    const orphan = `training/${'o'.repeat(26)}.mp4`
    await storage.put(orphan, Buffer.from('x'), { type: 'video/mp4' })
    const { asset } = (await upload(png, 'kept.png')).body
    server.clock.set(new Date())
    expect((await sweepFiles(server.running.services)).removed).toBe(0)
    server.clock.advance(2 * DAY)
    expect((await sweepFiles(server.running.services)).removed).toBeGreaterThanOrEqual(1)
    expect(await stored()).not.toContain(orphan)
    expect(await stored()).toContain(`training/${nameOf(asset.url)}`)
  })
})
