import type sharpOf from 'sharp'

const [WIDTH, HEIGHT] = [640, 360]
const FRAME_MS = 125
/** Frames from rest to the end of the range; the film goes there and back. */
const STEPS = 20
const ROUNDS = 2
export const FILM_SECONDS = (STEPS * 2 * ROUNDS * FRAME_MS) / 1000

/** A leg that a strap lifts: at 0 it lies on the table, at 1 it stands upright. */
function drawFrame(share: number): string {
  const angle = (share * 80 * Math.PI) / 180
  const [hipX, hipY, leg] = [330, 250, 190]
  const [footX, footY] = [hipX + leg * Math.cos(angle), hipY - leg * Math.sin(angle)].map(Math.round)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="#eef6f4"/>
<g fill="none" stroke="#0f766e" stroke-width="8" stroke-linecap="round" stroke-linejoin="round"><circle cx="110" cy="232" r="24"/>
<polyline points="136 242 ${hipX} ${hipY} 520 254"/><polyline points="${hipX} ${hipY} ${footX} ${footY}"/><line x1="60" y1="280" x2="580" y2="280"/></g>
<polyline points="190 240 230 190 ${footX} ${footY}" fill="none" stroke="#b45309" stroke-width="5" stroke-linejoin="round"/></svg>`
}

const sizeOf = (bytes: number): Buffer => {
  // Eight bytes hold every size; the first bit of the first says that there are eight.
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE(BigInt(bytes))
  size[0] = 0x01
  return size
}
const element = (id: string, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(id, 'hex'), sizeOf(body.length), body])
}
const number = (id: string, value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return element(id, bytes)
}
const words = (id: string, value: string) => element(id, Buffer.from(value))
const real = (id: string, value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return element(id, bytes)
}

/** A still as the film's format holds it: the picture inside of a lossy WebP is a whole frame of VP8. */
function frameOf(webp: Buffer): Buffer {
  if (webp.toString('latin1', 12, 16) !== 'VP8 ') throw new Error('The still is not a plain lossy WebP')
  return webp.subarray(20, 20 + webp.readUInt32LE(16))
}

/** Frames of one second, with their times: where a player may begin. */
function cluster(frames: readonly Buffer[], startsAt: number): Buffer {
  const blocks = frames.map((frame, place) => {
    const head = Buffer.from([0x81, 0, 0, 0x80])
    head.writeInt16BE(place * FRAME_MS, 1)
    return element('a3', head, frame)
  })
  return element('1f43b675', number('e7', startsAt), ...blocks)
}

/** Where each second begins, so that a player can go there. */
function cuesOf(clusters: readonly Buffer[], startsAt: number): Buffer {
  let at = startsAt
  const points = clusters.map((one, second) => {
    const point = element('bb', number('b3', second * 1000), element('b7', number('f7', 1), number('f1', at)))
    at += one.length
    return point
  })
  return element('1c53bb6b', ...points)
}

/** A short film in WebM, drawn frame by frame: strap work from rest to the end of the range and back. */
export async function makeFilm(sharp: typeof sharpOf): Promise<Buffer> {
  const stills = await Promise.all(
    Array.from({ length: STEPS + 1 }, async (_, step) => {
      const share = (1 - Math.cos((step / STEPS) * Math.PI)) / 2
      return frameOf(
        await sharp(Buffer.from(drawFrame(share)))
          .flatten()
          .webp({ quality: 60 })
          .toBuffer(),
      )
    }),
  )
  const there = stills.slice(0, STEPS)
  const round = [...there, ...stills.slice(1).toReversed()]
  const frames = Array.from({ length: ROUNDS }, () => round).flat()
  const perSecond = 1000 / FRAME_MS
  const clusters = Array.from({ length: FILM_SECONDS }, (_, second) =>
    cluster(frames.slice(second * perSecond, (second + 1) * perSecond), second * 1000),
  )
  const head = element(
    '1a45dfa3',
    ...[number('4286', 1), number('42f7', 1), number('42f2', 4), number('42f3', 8)],
    ...[words('4282', 'webm'), number('4287', 2), number('4285', 2)],
  )
  const info = element(
    '1549a966',
    ...[
      number('2ad7b1', 1_000_000),
      real('4489', FILM_SECONDS * 1000),
      words('4d80', 'Limber'),
      words('5741', 'Limber'),
    ],
  )
  const picture = element('e0', number('b0', WIDTH), number('ba', HEIGHT))
  const track = element('ae', number('d7', 1), number('73c5', 1), number('83', 1), words('86', 'V_VP8'), picture)
  const before = Buffer.concat([info, element('1654ae6b', track)])
  // Every number has four bytes: the list of places is as long before they are known as after.
  const cues = cuesOf(clusters, before.length + cuesOf(clusters, 0).length)
  return Buffer.concat([head, element('18538067', before, cues, ...clusters)])
}

/** What is said in it. */
export const FILM_SUBTITLES = `WEBVTT

00:00.000 --> 00:02.400
Place the strap over the arch of the foot.

00:02.500 --> 00:04.900
Lift on the exhale. Stop when the knee starts to bend.

00:05.000 --> 00:07.400
Hold and let the breath do the work.

00:07.500 --> 00:10.000
Lower the leg just as slowly.
`
