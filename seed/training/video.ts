import type sharpOf from 'sharp'

const [WIDTH, HEIGHT] = [640, 360]
const FRAME_MS = 125
/** Frames from rest to the end of the range. The video goes there and back. */
const STEPS = 20
const ROUNDS = 2
export const VIDEO_SECONDS = (STEPS * 2 * ROUNDS * FRAME_MS) / 1000

/** A leg lifted by a strap: flat on the table at 0, upright at 1. */
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
  // Eight bytes fit every size. The leading byte 0x01 marks an eight-byte size.
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
const text = (id: string, value: string) => element(id, Buffer.from(value))
const real = (id: string, value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value)
  return element(id, bytes)
}

/** The VP8 frame of a lossy WebP image, which WebM uses as it is. */
function frameOf(webp: Buffer): Buffer {
  if (webp.toString('latin1', 12, 16) !== 'VP8 ') throw new Error('Not a plain lossy WebP image')
  return webp.subarray(20, 20 + webp.readUInt32LE(16))
}

/** The frames of one second. Players can start at a cluster. */
function cluster(frames: readonly Buffer[], startsAt: number): Buffer {
  const blocks = frames.map((frame, index) => {
    const head = Buffer.from([0x81, 0, 0, 0x80])
    head.writeInt16BE(index * FRAME_MS, 1)
    return element('a3', head, frame)
  })
  return element('1f43b675', number('e7', startsAt), ...blocks)
}

/** The position of each second, so that players can seek. */
function cuesOf(clusters: readonly Buffer[], startsAt: number): Buffer {
  let at = startsAt
  const points = clusters.map((one, second) => {
    const point = element('bb', number('b3', second * 1000), element('b7', number('f7', 1), number('f1', at)))
    at += one.length
    return point
  })
  return element('1c53bb6b', ...points)
}

/** A short WebM video, drawn frame by frame: strap work from rest to the end of the range and back. */
export async function makeVideo(sharp: typeof sharpOf): Promise<Buffer> {
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
  const outward = stills.slice(0, STEPS)
  const round = [...outward, ...stills.slice(1).toReversed()]
  const frames = Array.from({ length: ROUNDS }, () => round).flat()
  const perSecond = 1000 / FRAME_MS
  const clusters = Array.from({ length: VIDEO_SECONDS }, (_, second) =>
    cluster(frames.slice(second * perSecond, (second + 1) * perSecond), second * 1000),
  )
  const head = element(
    '1a45dfa3',
    ...[number('4286', 1), number('42f7', 1), number('42f2', 4), number('42f3', 8)],
    ...[text('4282', 'webm'), number('4287', 2), number('4285', 2)],
  )
  const info = element(
    '1549a966',
    ...[
      number('2ad7b1', 1_000_000),
      real('4489', VIDEO_SECONDS * 1000),
      text('4d80', 'Limber'),
      text('5741', 'Limber'),
    ],
  )
  const image = element('e0', number('b0', WIDTH), number('ba', HEIGHT))
  const track = element('ae', number('d7', 1), number('73c5', 1), number('83', 1), text('86', 'V_VP8'), image)
  const before = Buffer.concat([info, element('1654ae6b', track)])
  // All numbers have four bytes, so the cues have the same length before and after the positions are known.
  const cues = cuesOf(clusters, before.length + cuesOf(clusters, 0).length)
  return Buffer.concat([head, element('18538067', before, cues, ...clusters)])
}

/** The subtitles of the video. */
export const VIDEO_SUBTITLES = `WEBVTT

00:00.000 --> 00:02.400
Place the strap over the arch of the foot.

00:02.500 --> 00:04.900
Lift on the exhale. Stop when the knee starts to bend.

00:05.000 --> 00:07.400
Hold and let the breath do the work.

00:07.500 --> 00:10.000
Lower the leg just as slowly.
`
