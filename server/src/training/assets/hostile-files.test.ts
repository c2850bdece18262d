// @module-tag slow
import { createHash } from 'node:crypto'
import { deflateSync, gzipSync } from 'node:zlib'
import { readFile, uploadAsset } from '@limber/contract/training/assets/asset.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeMp3, makeMp4, makeOgg, makePdf, makeWav, makeWebm } from '#platform/testing/testing.files.ts'
import { sendForm } from '#platform/testing/testing.form.ts'
import { startTestServer, type TestCaller, type TestServer } from '#platform/testing/testing.ts'
import { makeCourse } from '../training.factory.ts'

let server: TestServer
let author: TestCaller
let png: Buffer
let gif: Buffer
let jpeg: Buffer
beforeAll(async () => {
  server = await startTestServer()
  author = server.as('training.manage')
  await makeCourse(server.db, { course_key: 'media' })
  const blank = sharp({ create: { width: 20, height: 20, channels: 3, background: '#fff' } })
  png = await blank.clone().png().toBuffer()
  gif = await blank.clone().gif().toBuffer()
  jpeg = await blank.clone().jpeg().toBuffer()
})
afterAll(() => server.stop())

const upload = (content: Buffer | string, filename: string) =>
  sendForm(author, uploadAsset, [
    { name: 'course_key', content: 'media' },
    { name: 'file', filename, content },
  ])
const stored = async () => {
  const keys: string[] = []
  for await (const { key } of server.running.services.storage.list('training/')) keys.push(key)
  return keys
}

const svg = (inside = '') => `<svg xmlns="http://www.w3.org/2000/svg" ${inside}><script>alert(1)</script></svg>`
const chunk = (type: string, body: Buffer) => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(body.length)
  // A wrong checksum would be refused for a different reason.
  const table = Array.from({ length: 256 }, (_, n) => {
    let c = n
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
    return c >>> 0
  })
  let crc = 0xffffffff
  for (const byte of named) crc = (table[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE((crc ^ 0xffffffff) >>> 0)
  return Buffer.concat([size, named, sum])
}
/** An image of a few hundred bytes that claims to be huge. */
const bomb = (width: number, height: number) => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(10_000))
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
const ftyp = (brand: string) =>
  Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from(`ftyp${brand}\0\0\0\0${brand}mp41`, 'latin1')])
const zip = Buffer.from('504b0304140000000000000021000000000000000000000000000500000061', 'hex')

const refused: [string, string, () => Buffer | string, number][] = [
  ['an SVG', 'a.svg', () => svg(), 415],
  ['an SVG as .png', 'a.png', () => svg(), 415],
  ['an SVG as .txt', 'a.txt', () => svg(), 415],
  ['an SVG as .md', 'a.md', () => `\n  ${svg()}`, 415],
  ['an SVG with onload', 'a.svg', () => svg('onload="alert(1)"'), 415],
  ['an SVG after an XML declaration', 'a.txt', () => `<?xml version="1.0"?>${svg()}`, 415],
  ['an SVG after a comment', 'a.txt', () => `<!-- x -->${svg()}`, 415],
  ['a gzipped SVG', 'a.svgz', () => gzipSync(svg()), 415],
  ['HTML as .png', 'a.png', () => '<!doctype html><script>alert(1)</script>', 415],
  ['HTML as .txt', 'a.txt', () => '<html><script>alert(1)</script>', 415],
  ['HTML as .md', 'a.md', () => '\ufeff<!DOCTYPE html><body onload=alert(1)>', 415],
  ['a bare script as .txt', 'a.txt', () => '<script>alert(1)</script>', 415],
  ['HTML with its own extension', 'a.html', () => '<p>hello</p>', 415],
  ['XML', 'a.xml', () => '<?xml version="1.0"?><a/>', 415],
  ['JavaScript', 'a.js', () => 'alert(1)', 415],
  ['a program', 'a.exe', () => Buffer.from('MZ\u0090\u0000'), 415],
  ['an ELF as .mp4', 'a.mp4', () => Buffer.from('7f454c4602010100', 'hex'), 415],
  ['a zip', 'a.zip', () => zip, 415],
  ['a zip as .md', 'a.md', () => zip, 415],
  ['an office document', 'a.docx', () => Buffer.concat([zip, Buffer.from('[Content_Types].xml')]), 415],
  ['a gzip as .txt', 'a.txt', () => gzipSync('hello'), 415],
  ['a HEIC as .mp4', 'a.mp4', () => ftyp('heic'), 415],
  ['an AVIF', 'a.avif', () => ftyp('avif'), 415],
  ['a QuickTime video', 'a.mp4', () => makeMp4({ brand: 'qt  ' }), 415],
  ['a BMP', 'a.bmp', () => Buffer.concat([Buffer.from('BM'), Buffer.alloc(60)]), 415],
  ['a TIFF as .jpg', 'a.jpg', () => Buffer.from('49492a00080000000000', 'hex'), 415],
  [
    'a Matroska video',
    'a.webm',
    () => Buffer.from(makeWebm().toString('latin1').replace('webm', 'mkvx'), 'latin1'),
    415,
  ],
  ['a Flash file', 'a.swf', () => Buffer.from('FWS\u0005aaaaaaaaaa'), 415],
  ['UTF-16 text', 'a.txt', () => Buffer.from('\ufeffhello', 'utf16le'), 415],
  ['text with NUL', 'a.txt', () => 'hello\u0000world', 415],
  ['Latin-1 text', 'a.txt', () => Buffer.from('gr\u00fc\u00dfe', 'latin1'), 415],
  ['text without a text extension', 'notes', () => 'hello', 415],
  ['random bytes', 'a.png', () => createHash('sha512').update('x').digest(), 415],
  ['nothing', 'a.png', () => '', 422],
  ['an image that claims 65,535 by 65,535 pixels', 'a.png', () => bomb(65_535, 65_535), 422],
  ['an image of 41 megapixels', 'a.png', () => bomb(6_400, 6_400 + 50), 422],
  ['an image that claims more rows than it has', 'a.png', () => bomb(500, 500), 422],
  ['a truncated PNG', 'a.png', () => png.subarray(0, 50), 422],
  ['a truncated JPEG', 'a.jpg', () => jpeg.subarray(0, 200), 422],
  ['a truncated GIF', 'a.gif', () => gif.subarray(0, 20), 422],
  ['a video without its index', 'a.mp4', () => Buffer.concat([ftyp('isom'), Buffer.alloc(100)]), 422],
  ['a truncated video', 'a.mp4', () => makeMp4({ bytes: 5000 }).subarray(0, 2000), 422],
  ['a video without its data', 'a.mp4', () => makeMp4({ bytes: 1000 }).subarray(0, -1008), 422],
  ['one audio frame followed by junk', 'a.mp3', () => Buffer.concat([makeMp3(1), Buffer.alloc(3000, 'junk')]), 422],
  [
    'an audio file with only tags',
    'a.mp3',
    () => Buffer.concat([Buffer.from('ID3\u0003\0\0\0\0\0\u000a', 'latin1'), Buffer.alloc(300)]),
    415,
  ],
  ['HTML as .vtt', 'a.vtt', () => '<!doctype html><script>alert(1)</script>', 415],
  ['subtitles without the signature', 'a.vtt', () => '00:01.000 --> 00:02.000\nHello', 415],
  ['subtitles without a cue', 'a.vtt', () => 'WEBVTT\n\nNOTE nothing', 422],
  ['subtitles with an HTML page in them', 'a.vtt', () => 'WEBVTT\n\n<script>alert(1)</script>', 422],
  ['subtitles without times', 'a.vtt', () => 'WEBVTT\n\n1:99 --> soon\nHello', 422],
  ['subtitles with NUL', 'a.vtt', () => 'WEBVTT\n\n00:01.000 --> 00:02.000\nHel\u0000lo', 422],
  ['a WAV without data', 'a.wav', () => makeWav().subarray(0, 36), 422],
  ['a PDF without its end', 'a.pdf', () => '%PDF-1.4\nhello', 422],
  ['a text of more than 1 MB', 'a.txt', () => 'x'.repeat(1024 * 1024 + 1), 413],
  ['an image of more than 10 MB', 'a.png', () => Buffer.concat([png, Buffer.alloc(10 * 1024 * 1024)]), 413],
  ['a PDF of more than 25 MB', 'a.pdf', () => Buffer.concat([makePdf(), Buffer.alloc(25 * 1024 * 1024)]), 413],
  ['an audio file of more than 50 MB', 'a.mp3', () => Buffer.concat([makeMp3(), Buffer.alloc(50 * 1024 * 1024)]), 413],
]

describe('X3 hostile files', () => {
  it('refuses an image with too many pixels before decoding it', async () => {
    expect((await upload(bomb(6_400, 6_400), 'a.png')).failure.code).toBe('too_many_pixels')
  })
  it.each(refused)('refuses %s', async (_, filename, content, status) => {
    const before = await stored()
    const reply = await upload(content(), filename)
    expect([reply.status, typeof reply.failure.message]).toEqual([status, 'string'])
    expect(await stored()).toEqual(before)
  })

  it.each([
    [
      'a GIF that is a script',
      'a.gif',
      () => Buffer.concat([gif, Buffer.from('*/=alert(1);//<script>alert(1)</script>')]),
    ],
    [
      'a JPEG with PHP in a comment',
      'a.php',
      () =>
        Buffer.concat([
          jpeg.subarray(0, 2),
          Buffer.from([0xff, 0xfe, 0, 34]),
          Buffer.from('<?php echo shell_exec($_GET[0]) ?>'.slice(0, 32)),
          jpeg.subarray(2),
        ]),
    ],
    [
      'a PDF with an HTML page',
      'a.pdf',
      () => Buffer.concat([makePdf(), Buffer.from('<html><script>alert(1)</script>%%EOF')]),
    ],
    [
      'a video with HTML in it',
      'a.mp4',
      () =>
        Buffer.from(
          makeMp4()
            .toString('latin1')
            .replace(/\0{40}$/, '<html><script>alert(1)</script>'.padEnd(40)),
          'latin1',
        ),
    ],
    [
      'an audio file with HTML after it',
      'a.ogg',
      () => Buffer.concat([makeOgg(), Buffer.from('<script>alert(1)</script>')]),
    ],
    ['markdown with HTML', 'a.md', () => 'Hello <script>alert(1)</script>'],
  ])('stores %s, and never serves it as a page', async (_, filename, content) => {
    const reply = await upload(content(), filename)
    expect(reply.status, reply.text).toBe(200)
    const file = await author.send(readFile, { params: { name: reply.body.asset.url.split('/').at(-1) ?? '' } })
    expect(file.headers.get('content-type')).not.toMatch(/html|svg|xml|javascript/)
    expect(file.headers.get('x-content-type-options')).toBe('nosniff')
    expect(file.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    if (reply.body.asset.type === 'image') expect(file.text).not.toMatch(/script|php/)
    if (reply.body.asset.type === 'document') expect(file.headers.get('content-disposition')).toMatch(/^attachment/)
  })

  it.each([
    ['../../etc/passwd.png', 'passwd.png'],
    ['..\\..\\windows\\x.png', 'x.png'],
    ['/etc/cron.d/x.png', 'x.png'],
    ['x.png.', 'x.png'],
    ['x.php.png', 'x.php.png'],
    ['.htaccess', 'htaccess'],
    ['con\u0000.png', undefined],
    ['gnp.\u202eexe.png', 'gnp.exe.png'],
    [`${'n'.repeat(300)}.png`, `${'n'.repeat(196)}.png`],
    ['a<b>c.png', 'a_b_c.png'],
    ['', undefined],
  ])('treats the name %j as data, never as a path', async (filename, kept) => {
    const reply = await upload(png, filename)
    if (reply.status === 200) {
      expect(reply.body.asset.url).toMatch(/^\/api\/training\/files\/[a-z0-9]{26}\.png$/)
      if (kept) expect(reply.body.asset.filename).toBe(kept)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(reply.body.asset.filename).not.toMatch(/[\u0000-\u001f\u202e/\\]/)
    } else expect([reply.status, kept]).toEqual([400, undefined])
    expect((await stored()).every((key) => /^training\/[a-z0-9]{26}\.[a-z0-9]{2,4}$/.test(key))).toBe(true)
  })
})

describe('a large video', () => {
  it('is read quickly, however many brands it lists', async () => {
    const brands = Buffer.alloc(1024 * 1024)
    brands.writeUInt32BE(brands.length)
    brands.write('ftypisom', 4, 'latin1')
    for (let at = 12; at < brands.length; at += 4) brands.write(at.toString(36).padStart(4, '0'), at, 'latin1')
    const video = Buffer.concat([brands, makeMp4({ seconds: 90 }).subarray(24)])
    expect((await upload(video, 'brands.mp4')).body.asset.metadata.duration).toBe(90)
  })
  it('is streamed in constant memory', async () => {
    const size = 60 * 1024 * 1024
    const video = makeMp4({ bytes: size })
    const before = process.memoryUsage().rss
    let most = before
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss)
    }, 20)
    const reply = await upload(video, 'large.mp4')
    clearInterval(watch)
    expect(reply.body.asset.metadata.finalSize).toBe(video.length)
    // The sender runs in the same process and has several copies of the video; the receiver adds little to that.
    expect((most - before) / 1024 / 1024).toBeLessThan(400)
  })
})
